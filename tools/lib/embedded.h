/* Files that are part of the program (tools/lib/embedded.S); each ends in a 0 byte. */
#ifndef TOOLS_LIB_EMBEDDED_H
#define TOOLS_LIB_EMBEDDED_H

extern const char embedded_measured[]; /* docs/machines/measured-latency.csv */
extern const char embedded_isa[];      /* the ISA set of each form: tools/isa/mkisa.c */
extern const char embedded_page[];     /* tools/report/page.html */
extern const char embedded_style[];    /* tools/report/page.css */
extern const char embedded_cores[];    /* tools/report/cores.js: before the script */
extern const char embedded_sheet[];    /* tools/report/sheet.js: between both */
extern const char embedded_script[];   /* tools/report/page.js */
extern const char embedded_plots[];    /* dygraphs, "" if the build host lacked it */
extern const char embedded_plots_style[];

#endif
