/* Values of a line of CSV. */
#ifndef TOOLS_LIB_CSV_H
#define TOOLS_LIB_CSV_H

/* Takes the next value of a CSV line out of *p, unquoted, in place. Behind the last one: "". */
char *csv_take(char **p);

#endif
