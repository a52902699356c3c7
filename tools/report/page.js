/* The report page of cpl0-log: data comes from the element `data`, plots from dygraphs. */
"use strict";

const DATA = JSON.parse(document.getElementById("data").textContent);
const DARK = matchMedia("(prefers-color-scheme: dark)");
const LIGHT_HUES = ["#2563eb", "#ea580c", "#16a34a", "#9333ea", "#0891b2", "#be123c", "#854d0e", "#475569"];
const DARK_HUES = ["#60a5fa", "#fb923c", "#4ade80", "#c084fc", "#22d3ee", "#fb7185", "#eab308", "#94a3b8"];
let HUES = DARK.matches ? DARK_HUES : LIGHT_HUES;
const ROW = 22, LINE = 17, SCROLLBAR = 20, BESIDE = 600; /* pixels */
const ARROWS = ["\u00a0\u25b2", "\u00a0\u25bc"]; /* sorted upwards, downwards; never alone on a line */
const PEN = document.createElement("canvas").getContext("2d");
const MANY = 4; /* logs that are shown at first */

/* Elements are made by hand: text from logs is never taken for HTML. */
function element(tag, attributes, ...children) {
	const e = document.createElement(tag);
	for (const [key, value] of Object.entries(attributes || {}))
		e.setAttribute(key, value);
	e.append(...children);
	return e;
}

function number(v) {
	if (v === null || v === undefined)
		return "";
	const halfUp = v < 0 ? v - 1e-9 : v + 1e-9; /* as figure_text() in tools/result/figures.c */
	return Math.abs(v) < 1000 ? halfUp.toFixed(2) : halfUp.toFixed(0);
}

/* A bound that was rounded down would be a false one. */
function roundedUp(v) {
	const steps = v < 1000 ? 100 : 1;
	return Math.ceil(v * steps - 1e-6) / steps;
}

/* A figure is null or [value, low, high, below, minimum, maximum]; docs/log-format.md, `result`. */
function figure(f) {
	return !f ? "" : f[3] ? "<" + number(roundedUp(f[2])) : number(f[0]);
}

function range(f) {
	return f && f[6] ? "withdrawn: the counter failed a later proof" : !f || f[3] ? "" : f[4] === f[5] ? "exact" :
		"half of the samples: " + number(f[1]) + " to " + number(f[2]) +
		", all: " + number(f[4]) + " to " + number(f[5]);
}

function exact(f) {
	return f && !f[3] && f[4] === f[5];
}

/* A word keeps what contains it; with * or ? it must match a whole field. All words must. */
function matcher(text) {
	const words = text.trim().toLowerCase().split(/\s+/).filter(w => w).map(w => {
		if (!/[*?]/.test(w))
			return { test: s => s.includes(w) };
		const escaped = w.replace(/[.+^${}()|[\]\\]/g, "\\$&");
		return new RegExp("(^|\\n)" + escaped.replace(/\*/g, ".*").replace(/\?/g, ".") + "($|\\n)");
	});
	return s => words.every(w => w.test(s));
}

/* Parts of a heading: it breaks behind a dot, an underline, a colon, a dash or a blank, and nowhere else. */
function partsOf(text) {
	return text.split(/(?<=[._:\- ])/);
}

function breakable(text) {
	return partsOf(text).flatMap((part, i) => i ? [element("wbr"), part] : [part]);
}

/* How many pixels the text has on the screen in the font of the element. */
function textWidth(text, like) {
	const { fontWeight, fontSize, fontFamily } = getComputedStyle(like);

	PEN.font = fontWeight + " " + fontSize + " " + fontFamily;
	return PEN.measureText(text).width;
}

/* Lines of a heading that is `width` pixels wide. */
function linesOf(parts, width) {
	let lines = 1, used = 0;

	for (const w of parts) {
		if (used && used + w > width) {
			lines++;
			used = 0;
		}
		used += w;
	}
	return lines;
}

/* A cell as a field of CSV. A program that opens it must not take text for a formula. */
function csvField(v) {
	const text = v === null || v === undefined ? "" : String(v);
	const safe = typeof v === "string" && /^[=+\-@\t\r]/.test(text) ? "'" + text : text;

	return /[",\n\r]/.test(safe) ? '"' + safe.replace(/"/g, '""') + '"' : safe;
}

/* What stands in a cell. */
function cellText(column, row) {
	const value = column.text ? column.text(row) : column.value(row);

	return typeof value === "string" ? value : number(value);
}

/*
 * A table that keeps only the visible rows in the document. A column has title, value(row) for
 * sorting and CSV, and optionally text(row), hint(row), mark(row), link(row) and name
 * (left-aligned); mark(row) is one of COLOURS or "". The first column stays in sight. A table can be pulled longer, and fill the window.
 */
class Grid {
	constructor(place, columns, rows, search, count) {
		Object.assign(this, { place, columns, rows, count, shown: rows, order: null, target: "" });
		this.head = element("div", { class: "head" });
		this.body = element("div", {});
		place.replaceChildren(this.head, this.body);
		columns.forEach((c, i) => {
			const cell = element("div", { class: c.name ? "name" : "", title: c.title });
			cell.onclick = () => this.sort(i);
			this.head.append(cell);
		});
		this.titles();
		this.measure();
		place.onscroll = () => this.draw();
		search.oninput = () => this.filter(search.value);
		this.buttons(place.previousElementSibling.querySelector(".tools"));
		new ResizeObserver(() => this.draw()).observe(place);
		this.filter(search.value);
	}

	/* Columns as wide as their figures and the parts of their headings; headings of few lines. */
	measure() {
		const widths = this.columns.map((c, i) => this.width(c, this.head.childNodes[i]));

		this.place.style.setProperty("--columns", widths.map(w => w.css || w.pixels + "px").join(" ") + " 1fr");
		this.ends = widths.reduce((ends, w) => [...ends, (ends[ends.length - 1] || 0) + w.pixels], []);
		this.top = 6 + LINE * Math.max(...widths.map(w => w.lines));
		this.place.style.setProperty("--top", this.top + "px");
	}

	width(c, cell) {
		const parts = partsOf(c.title + ARROWS[0]).map(t => textWidth(t, cell));
		const longest = this.rows.reduce((most, r) => {
			const text = cellText(c, r);
			return text.length > most.length ? text : most;
		}, "");
		const room = parseFloat(getComputedStyle(cell).paddingLeft) * 2 + 2;
		let width = Math.ceil(Math.max(...parts, textWidth(longest, cell), 24));

		while (linesOf(parts, width) > 3)
			width += 8;
		return { pixels: width + room, lines: linesOf(parts, width),
			css: c === this.columns[0] && "min(" + (width + room) + "px, 50vw)" };
	}

	/* CSV and size, in the element `tools` of the line above the table. */
	buttons(tools) {
		const save = element("button", { type: "button" }, "CSV");
		const grow = element("button", { type: "button" }, "Whole window");
		const full = on => {
			this.place.parentNode.classList.toggle("full", on);
			grow.textContent = on ? "Back (Esc)" : "Whole window";
			this.draw();
		};

		save.onclick = () => this.save();
		grow.onclick = () => full(!this.place.parentNode.classList.contains("full"));
		this.place.parentNode.onkeydown = e => e.key === "Escape" && full(false);
		tools.replaceChildren(save, grow);
	}

	/* All rows that the filter keeps, in their order: numbers as they are in the page's data. */
	csv() {
		const lines = [this.columns.map(c => csvField(c.title))];

		for (const r of this.shown)
			lines.push(this.columns.map(c => csvField(c.value(r))));
		return lines.map(l => l.join(",")).join("\r\n") + "\r\n";
	}

	save() {
		const url = URL.createObjectURL(new Blob([this.csv()], { type: "text/csv" }));

		element("a", { href: url, download: this.place.id + ".csv" }).click();
		setTimeout(() => URL.revokeObjectURL(url), 10000);
	}

	/* Brings the first row with this name into sight; false: there is none. */
	go(name) {
		const same = r => this.columns[0].value(r) === name;

		if (!this.rows.some(same))
			return false;
		if (!this.shown.some(same))
			this.filter("");
		this.target = name;
		this.place.parentNode.scrollIntoView();
		this.place.scrollTop = Math.max(0, (this.shown.findIndex(same) - 3) * ROW);
		this.draw();
		return true;
	}

	filter(text) {
		const match = matcher(text);
		this.shown = this.rows.filter(r => match(r.search));
		this.arrange();
	}

	sort(i) {
		this.order = { i, down: this.order && this.order.i === i && !this.order.down };
		this.titles();
		this.arrange();
	}

	/* The headings, with an arrow at the column that sorts. */
	titles() {
		this.head.childNodes.forEach((cell, i) => {
			const arrow = this.order && this.order.i === i ? ARROWS[+this.order.down] : "";
			cell.replaceChildren(...breakable(this.columns[i].title), arrow);
		});
	}

	arrange() {
		if (this.order) {
			const { i, down } = this.order, value = this.columns[i].value;
			const key = r => { const v = value(r); return v === undefined ? null : v; };
			this.shown.sort((x, y) => {
				const a = key(x), b = key(y);
				if (a === null || b === null)
					return (a === null) - (b === null);
				const sign = typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b;
				return down ? -sign : sign;
			});
		}
		this.place.scrollTop = 0;
		this.count.textContent = this.shown.length + " of " + this.rows.length;
		this.body.style.height = this.shown.length * ROW + "px";
		/* No custom property: it would make the browser style each cell anew. */
		this.place.style.maxHeight = this.top + this.shown.length * ROW + SCROLLBAR + "px";
		this.draw();
	}

	/* The first column and those in sight, or nearly so: of 22 logs there are hundreds. */
	inSight() {
		const left = this.place.scrollLeft - BESIDE, right = this.place.scrollLeft + this.place.clientWidth + BESIDE;

		return this.columns.map((c, i) => [c, i]).filter(([, i]) =>
			!i || this.ends[i] > left && this.ends[i - 1] < right);
	}

	draw() {
		const columns = this.inSight();
		const height = this.place.clientHeight || 480;
		const first = Math.max(0, Math.floor((this.place.scrollTop - this.top) / ROW) - 5);
		const end = Math.min(this.shown.length, first + Math.ceil(height / ROW) + 15);
		this.body.replaceChildren(...this.shown.slice(first, end).map((r, k) => {
			const row = element("div", { class: "row", style: "top:" + (this.top + (first + k) * ROW) + "px" });
			row.classList.toggle("target", this.target === this.columns[0].value(r));
			for (const [c, i] of columns) {
				const text = cellText(c, r);
				const cell = element("div", { class: c.name ? "name" : "", style: "grid-column:" + (i + 1) },
					c.link ? element("a", { href: c.link(r) }, text) : text);
				const hint = c.hint ? c.hint(r) : c.name ? text : "";
				if (hint)
					cell.title = hint;
				if (c.mark && c.mark(r))
					cell.classList.add(c.mark(r));
				row.append(cell);
			}
			return row;
		}));
	}
}

/* A to Z, then AA, AB ... */
function letters(i) {
	return (i < 26 ? "" : letters(Math.floor(i / 26) - 1)) + String.fromCharCode(65 + i % 26);
}

const LABELS = DATA.logs.map((log, i) => DATA.logs.length === 1 ? "" : letters(i));

/* The logs that the page shows now, by their index; their boxes are on the cards. */
const SHOWN = new Set(DATA.logs.map((log, i) => i).slice(0, MANY));

function shownLogs() {
	return DATA.logs.map((log, i) => [log, i]).filter(([, i]) => SHOWN.has(i));
}

function label(text, i) {
	return LABELS[i] ? text + " " + LABELS[i] : text;
}

/* Lines of a card. */
function cpuText(log) {
	const cpu = recordsOf(log, "cpu")[0] || {};

	return !cpu.family ? "" : cpu.vendor + ", family " + cpu.family + ", model " + cpu.model +
		", stepping " + cpu.stepping;
}

function clockText(log) {
	const tsc = log.tsc_hz / 1e9;

	if (!tsc)
		return "clock unknown";
	return (log.core_per_tsc ? "core " + (tsc * log.core_per_tsc).toFixed(2) + " GHz" : "core clock unknown") +
		", TSC " + tsc.toFixed(2) + " GHz";
}

/* Caches of data; a cache of code or of traces holds none. */
function dataCaches(log) {
	return recordsOf(log, "cache").filter(c => c.type === "data" || c.type === "unified");
}

function cacheText(log) {
	return dataCaches(log).map(c => "L" + c.level + " " + bytesText(+c.size)).join(", ");
}

/* When the log was made, on which board: "" where the log does not tell. */
function originText(log) {
	const date = recordsOf(log, "date")[0] || {}, board = recordsOf(log, "board")[0] || {};

	return [date.implausible ? "" : date.rtc, board.system_maker, board.system,
		board.bios && "firmware " + board.bios].filter(t => t).join(", ");
}

/* With more than one log a card has a box that shows or hides its log. */
function cardHead(log, i) {
	const name = (LABELS[i] ? LABELS[i] + ": " : "") + log.name;

	if (DATA.logs.length === 1)
		return element("b", {}, name);
	const box = element("input", { type: "checkbox" });
	box.checked = SHOWN.has(i);
	box.onchange = () => {
		if (!box.checked && SHOWN.size === 1) { /* one stays */
			box.checked = true;
			return;
		}
		SHOWN[box.checked ? "add" : "delete"](i);
		render();
	};
	return element("label", {}, box, element("b", {}, name));
}

function drawMachines() {
	const place = document.getElementById("machines"), names = [...new Set(DATA.logs.map(l => l.name))];

	document.title = names.slice(0, 3).join(", ") + (names.length > 3 ? " ..." : "") + ": cpl0 report";
	document.querySelector("h1").textContent = names.length === 1 ? names[0] :
		(DATA.logs.length > names.length ? DATA.logs.length + " logs of " : "") + names.length + " machines";
	place.replaceChildren();
	DATA.logs.forEach((log, i) => {
		const card = element("div", { class: "machine", style: "--hue:" + HUES[i % HUES.length] }, cardHead(log, i));
		const more = DATA.logs.length > MANY ? element("details", {}, element("summary", {}, log.file)) : card;
		const lines = [originText(log), cpuText(log), clockText(log), cacheText(log), (log.summary || "").trim(), "counters " + log.pmu,
			log.file + (log.runs > 1 ? ", run " + log.run + " of " + log.runs : "") + ", cpl0 " + log.version + ", " + log.bits + " bit",
			log.results.length + " results, status " + (log.status || "none: not finished")];
		more.append(...lines.filter(t => t).map(t => element("span", {}, t)));
		if (more !== card)
			card.append(more);
		card.classList.toggle("off", !SHOWN.has(i));
		if (log.emulated)
			card.append(element("span", { class: "warning" }, "EMULATED: " + log.emulated));
		if (log.guest)
			card.append(element("span", { class: "warning" }, "GUEST of " + log.guest));
		if (!log.intact)
			card.append(element("span", { class: "warning" }, "The log is DAMAGED: " + log.findings +
				" findings (cpl0-log check)"));
		place.append(card);
	});
	place.classList.toggle("many", DATA.logs.length > MANY);
	document.getElementById("choose").hidden = DATA.logs.length <= MANY;
}

/* The body of a benchmark. The log has the start of a long one. */
function codeOf(r) {
	return !r.code_bytes || r.code.endsWith("...") ? r.code : r.code + "; ...";
}

/* Rows of the same benchmark in all logs that are shown. */
function mergedRows() {
	const rows = new Map();
	shownLogs().forEach(([log, i]) => log.results.forEach(r => {
		const key = r.bench + "\n" + r.mode + "\n" + r.cpl;
		if (!rows.has(key))
			rows.set(key, { bench: r.bench + (r.cpl ? " cpl" + r.cpl : ""), form: r.form, isa: r.isa, kind: r.kind,
				by: [], code: codeOf(r),
				search: (r.bench + "\n" + r.form + "\n" + r.code).toLowerCase() });
		if (!rows.get(key).by[i])
			rows.get(key).by[i] = r;
	}));
	return [...rows.values()];
}

function time(r) {
	return r && (r.clocks || r.tsc);
}

/* Events that counted in some row of the log, the most frequent first. */
function eventsOf(log) {
	const uses = new Map();
	for (const r of log.results)
		for (const [name, f] of Object.entries(r.events))
			if (f[1] || f[2])
				uses.set(name, (uses.get(name) || 0) + 1);
	return [...uses.keys()].sort((a, b) => uses.get(b) - uses.get(a));
}

/* What the colour of a figure means; a figure that has none is as good as its spread tells. */
const COLOURS = {
	doubt: "disturbed or nominal (mark i, h or m)",
	withdrawn: "withdrawn: the counter failed a later proof",
	faster: "the first log of the ratio is faster: the spreads do not meet, and more than 2 % lie between the figures",
	slower: "the first log of the ratio is slower: the spreads do not meet, and more than 2 % lie between the figures",
};
const WITHIN = 1.02; /* as cpl0-log compare has it */

function markOf(f, r) {
	return !f ? "" : f[6] ? "withdrawn" : r && /[ihm]/.test(r.marks) ? "doubt" : "";
}

/* Do the spreads of two figures meet, or are the figures nearly equal? */
function alike(a, b) {
	return a[1] <= b[2] && b[1] <= a[2] || Math.max(a[0], b[0]) <= WITHIN * Math.min(a[0], b[0]);
}

/* A column of a figure of each result of log i; `get` takes it out of the result. */
function figureColumn(title, i, group, get, marked) {
	const of = r => r.by[i] ? get(r.by[i]) : null;

	return { title: label(title, i), group, value: r => of(r) ? of(r)[0] : null, text: r => figure(of(r)),
		hint: r => range(of(r)), mark: r => marked ? markOf(of(r), r.by[i]) : markOf(of(r)) };
}

/* Of a guest and a machine of its own: is the hypervisor's time in one of both? compare.c has it so. */
function isHosts(r, a, b) {
	return !DATA.logs[a].guest !== !DATA.logs[b].guest && (r.by[a].exits || r.by[b].exits);
}

/* A figure of the first two logs that are shown, the second by the first. */
function ratioColumn(key, title) {
	const [a, b] = [...SHOWN].sort((i, j) => i - j);
	const of = r => [a, b].map(i => r.by[i] && r.by[i][key]);
	const value = r => {
		const [x, y] = of(r);
		return x && y && !x[3] && !y[3] && x[0] > 0 ? y[0] / x[0] : null;
	};

	return { title: title + " " + LABELS[b] + " / " + LABELS[a], group: "times", value,
		mark: r => value(r) === null || isHosts(r, a, b) || alike(...of(r)) ? "" : value(r) > 1 ? "slower" : "faster" };
}

/* Has a log times in no better unit? */
function ticksOnly(log) {
	return log.results.every(r => !r.clocks && !r.ns);
}

/* Columns of all logs, figure by figure, so that equal figures of several logs stand side by side. */
function resultColumns() {
	const all = shownLogs(), each = make => all.flatMap(([log, i]) => make(log, i));
	const figures = (key, title, group, marked) =>
		each((log, i) => [figureColumn(title, i, group, r => r[key], marked)]);
	const ratios = (key, title) => SHOWN.size === 2 ? [ratioColumn(key, title)] : [];
	const spreadText = r => !r ? "" : exact(time(r)) ? "exact" : r.spread === null ? "" : r.spread.toFixed(1);
	const title = (log, name) => Object.hasOwn(log.titles || {}, name) ? log.titles[name] : name;

	return [
		...figures("clocks", "clocks", "times", true), ...ratios("clocks", "clocks"),
		...figures("ns", "ns", "times", true), ...ratios("ns", "ns"),
		...each((log, i) => ticksOnly(log) ? [figureColumn("ticks", i, "times", r => r.tsc, true)] : []),
		...each((log, i) => [{ title: label("spread %", i), group: "times",
			value: r => r.by[i] ? r.by[i].spread : null, text: r => spreadText(r.by[i]) }]),
		...each((log, i) => [{ title: label("marks", i), /* no group: they belong to every figure */
			value: r => r.by[i] && r.by[i].marks || null }]),
		...each((log, i) => log.guest ? [{ title: label("guest", i), /* no group, as the marks */
			value: r => r.by[i] ? log.guest : null }] : []),
		...figures("gb_per_s", "GB/s", "rates", true), ...figures("bytes_per_clock", "bytes/clock", "rates", true),
		...figures("insns", "insns", "events"), ...figures("clocks_per_insn", "clk/insn", "events", true),
		...[...new Set(each(eventsOf))].flatMap(name => each((log, i) =>
			[figureColumn(title(log, name), i, "events", r => r.events[name])])),
	];
}

/* A line for each mark and each colour that the tables have. */
function drawMarks(columns, rows) {
	const place = document.getElementById("marks"), marks = new Set(), colours = new Set();

	for (const r of rows) {
		r.by.forEach((of, i) => SHOWN.has(i) && [...of.marks].forEach(m => marks.add(m)));
		columns.forEach(c => c.mark && colours.add(c.mark(r)));
	}
	const lines = DATA.marks.split("\n").filter(l => marks.has(l.trim()[0])).map(l => element("span", {}, l.trim()));
	const keys = Object.keys(COLOURS).filter(c => colours.has(c)).map(c =>
		element("span", {}, element("span", { class: c }, "12.34"), " " + COLOURS[c]));
	place.replaceChildren(...lines, ...keys);
	place.hidden = !place.childNodes.length;
}

/* Which columns the reader wants: those of a group, or all that have a figure. */
function chosenColumns(columns, rows) {
	const group = document.getElementById("columns").value;

	return columns.filter(c => (!group || !c.group || c.group === group) &&
		rows.some(r => c.value(r) !== null && c.value(r) !== undefined));
}

function drawResults(rows) {
	const names = { title: "benchmark", name: true, value: r => r.bench,
		link: r => "#row=" + encodeURIComponent(r.bench) };
	const code = { title: "code", name: true, value: r => r.code || null };
	const columns = chosenColumns([names, ...resultColumns(), code], rows);

	hideSection("results", !rows.length);
	drawMarks(columns, rows);
	return new Grid(document.getElementById("table"), columns, rows,
		document.getElementById("filter"), document.getElementById("count"));
}

/* A section that has nothing, and the way to it. */
function hideSection(id, hidden) {
	document.getElementById(id).hidden = hidden;
	document.querySelector('nav a[href="#' + id + '"]').hidden = hidden;
}

/* Which ports an instruction uses stands in its row: by form, also from another run of the log. */
function portsOf(log) {
	return new Map((log.ports || []).map(p => [p.form, p]));
}

/* The ports, and from which run if that is another one, as cpl0-log show has them. */
function portsText(p, log) {
	return !p ? "" : p.ports + (p.run === log.run ? "" : " (run " + p.run + ")");
}

/*
 * What uops.info has of an instruction: a search, because the names of its pages do not follow from
 * a form. Of several instructions the first; prefixes are none.
 */
function uopsInfo(form) {
	const words = form.split(/[ ,+{]+/), prefix = /^(0x..|\d+x\w*|LOCK|REPN?[EZ]?)$/;
	const name = (words.find(w => !prefix.test(w)) || words[0]).replace(/^(F\w+)80$/, "$1").replace(/^LNOP.$/, "NOP");
	const boxes = "lat tp uops ports SNB HSW SKL ICL ADLP ADLE ZENp ZEN2 ZEN3 ZEN4 measurements doc " +
		"base x87 mmx sse avx avx2 avx512 bmi aes fma others";

	return "https://uops.info/table.html?search=" + encodeURIComponent(name.toLowerCase()) +
		boxes.split(" ").map(b => "&cb_" + b + "=on").join("");
}

/* The instruction table: a row a form, latency, throughput, uops and ports of each log. */
function drawInstructions(rows) {
	const forms = new Map();
	for (const r of rows) {
		if (!r.form)
			continue;
		if (!forms.has(r.form))
			forms.set(r.form, { form: r.form, isa: r.isa, search: (r.form + "\n" + r.isa).toLowerCase() });
		forms.get(r.form)[r.kind] = forms.get(r.form)[r.kind] || r;
	}
	for (const [log] of shownLogs())
		for (const { form, isa } of portsOf(log).values())
			if (!forms.has(form))
				forms.set(form, { form, isa, search: (form + "\n" + isa).toLowerCase() });
	hideSection("instructions", !forms.size);
	if (!forms.size)
		return null;
	const columns = [{ title: "instruction", name: true, value: r => r.form,
		link: r => "#form=" + encodeURIComponent(r.form) },
		{ title: "ISA set", name: true, value: r => r.isa || null }];
	for (const [key, unit] of [["clocks", "clocks"], ["ns", "ns"], ["tsc", "TSC ticks"]])
		for (const kind of ["latency", "throughput"])
			for (const [log, i] of shownLogs()) {
				const of = r => r[kind] && r[kind].by[i] ? r[kind].by[i][key] : null;
				if (key === "tsc" && !ticksOnly(log))
					continue;
				columns.push({ title: label(kind + ", " + unit, i), value: r => of(r) ? of(r)[0] : null,
					text: r => figure(of(r)), hint: r => range(of(r)),
					mark: r => markOf(of(r), r[kind] && r[kind].by[i]) });
			}
	for (const [log, i] of shownLogs()) {
		const ports = portsOf(log), has = (r, key) => (ports.get(r.form) || {})[key];
		columns.push({ title: label("uops", i), value: r => has(r, "uops") ? +has(r, "uops") : null },
			{ title: label("ports", i), value: r => has(r, "ports") || null,
				text: r => portsText(ports.get(r.form), log) });
	}
	columns.push({ title: "uops.info", value: r => uopsInfo(r.form), text: () => "search", link: r => uopsInfo(r.form) });
	const known = columns.filter(c => [...forms.values()].some(r => c.value(r) !== null));
	return new Grid(document.getElementById("form-table"), known, [...forms.values()],
		document.getElementById("form-filter"), document.getElementById("form-count"));
}

/* Plots */

const UNITS = { "": 1, k: 1024, m: 1 << 20, g: 1 << 30 };
const LEVELS = ["l1", "l2", "l3", "memory"];

function bytesText(v) {
	return v >= 1 << 30 ? v / (1 << 30) + "G" : v >= 1 << 20 ? v / (1 << 20) + "M" : v >= 1024 ? v / 1024 + "K" : String(v);
}

/* Times in clocks or ns, bandwidth in bytes a clock or GB/s; the reader chooses. */
let perTime = false;

/* All vertical axes in powers, for machines that are far apart; else those of latencies alone. */
let inPowers = false;

/*
 * The key and the name of the unit that all of these results of a log have: a curve in clocks with
 * points in ticks would be false.
 */
function unitOf(results) {
	const units = [["clocks", "clocks"], ["ns", "ns"], ["tsc", "TSC ticks"]];
	const order = perTime ? [units[1], units[0], units[2]] : units;

	return order.find(([key]) => results.every(r => r[key])) || units[2];
}

/* GB/s wherever they are known; beside them bytes a clock, unless the reader chose times. */
function ratesOf(r) {
	const rates = [[r.gb_per_s, "GB/s"], [r.bytes_per_clock, "bytes a clock"]].filter(([f]) => f);

	return perTime ? rates.slice(0, 1) : rates;
}

/*
 * Where a bandwidth stands on an axis of footprints: half of the cache, as bench/suite/bandwidth.c has
 * it; "memory" right of all caches. null: the log does not tell the caches.
 */
function footprintOf(log, level) {
	const sizes = dataCaches(log).map(c => [+c.level, +c.size]);
	const size = new Map(sizes).get(LEVELS.indexOf(level) + 1);

	if (level === "memory")
		return sizes.length ? 4 * Math.max(...sizes.map(([, bytes]) => bytes)) : null;
	return size ? size / 2 : null;
}

/* latency.64k: [, "latency", "64", "k"], a point of a sweep; null: no sweep. */
function sweepOf(r) {
	return r.bench.startsWith("instr.") ? null : /^(.+)\.(\d+)([kmg]?)$/.exec(r.bench);
}

/* The sweeps of a log by name: the unit of each. */
function sweepUnits(log) {
	const sweeps = new Map();

	for (const r of log.results.filter(sweepOf))
		sweeps.set(sweepOf(r)[1], [...(sweeps.get(sweepOf(r)[1]) || []), r]);
	return new Map([...sweeps].map(([name, results]) => [name, unitOf(results)]));
}

/* A curve is { plot, name, log, rate, points }; curves of one plot share their x axis and unit. */
function curves() {
	const found = new Map();
	const add = (plot, name, log, x, [f, rate]) => {
		const key = [plot, rate, name, log].join("\n");
		if (!found.has(key))
			found.set(key, { plot: plot + "\n" + rate, name, log, rate, points: new Map() });
		if (f && !f[3])
			found.get(key).points.set(x, f);
		return found.get(key);
	};
	const units = DATA.logs.map(sweepUnits);

	shownLogs().forEach(([log, i]) => log.results.forEach(r => {
		const sweep = sweepOf(r);
		const band = /^bandwidth\.([a-z_]+?)_([a-z0-9]+)\.(l1|l2|l3|memory)$/.exec(r.bench);
		const x = band && footprintOf(log, band[3]);

		if (band && x)
			for (const rate of ratesOf(r))
				add("bandwidth." + band[1], band[2], i, x, rate).memory ||= band[3] === "memory" && x;
		if (band || !sweep)
			return;
		const [key, unit] = units[i].get(sweep[1]);
		add(sweep[1].split(".")[0] + (sweep[3] ? " bytes" : ""), sweep[1], i, sweep[2] * UNITS[sweep[3]],
			[r[key], unit]);
	}));
	return [...found.values()].filter(c => c.points.size >= (c.plot.startsWith("bandwidth.") ? 2 : 4));
}

function seriesCurves() {
	const found = [];
	shownLogs().forEach(([log, i]) => log.records.forEach(([kind, fields]) => {
		if (kind !== "series")
			return;
		const points = new Map(), record = Object.fromEntries(fields);
		for (const [key, value] of fields)
			if (/^tsc\.\d/.test(key))
				points.set(+key.slice(4), [+value, +value, +value, false, +value, +value]);
		found.push({ plot: "series " + record.bench, name: record.bench, log: i, points, rate: "TSC ticks" });
	}));
	return found;
}

/* The caches of data of a log, level -> text and size: what was measured (`geometry`) where the CPU tells otherwise. */
function cachesOf(log) {
	const caches = new Map();

	for (const [kind, fields] of log.records) {
		const f = Object.fromEntries(fields), isCache = kind === "cache" && ["data", "unified"].includes(f.type);
		const of = /^geometry\.l([1-4])/.exec(f.bench || "");
		const isMeasured = kind === "geometry" && of && ["differs", "untold"].includes(f.verdict);
		const size = +(isMeasured ? f.size || f.fits : f.size), level = isMeasured ? of[1] : f.level;

		if (size && (isCache || isMeasured))
			caches.set(level, { text: "L" + level + " " + bytesText(size) + (isMeasured ? " measured" : ""), size });
	}
	return caches;
}

/* Of all shown logs; equal ones are one line. */
function cacheSizes() {
	const sizes = new Map();

	shownLogs().forEach(([log, i]) => {
		for (const { text, size } of cachesOf(log).values())
			sizes.set(text, { size, text, logs: [...(sizes.get(text) || { logs: [] }).logs, i] });
	});
	return [...sizes.values()].sort((a, b) => a.size - b.size);
}

/* "L1 32K A C", or "L1 32K" where it is that of all logs, or where the logs are many. */
function sizeText(s) {
	return s.logs.length === SHOWN.size || SHOWN.size > MANY ? s.text : s.text + " " + s.logs.map(i => LABELS[i]).join(" ");
}

/* Where `v` of the x axis stands, in pixels of the canvas. The library's toDomXCoord ignores `logscale`. */
function pixelOf(g, area, v) {
	return area.x + g.toPercentXCoord(v) * area.w;
}

/* Where the text of a line stands: inside of the plot, in the first row in which it covers no other. */
function placeText(area, x, width, taken) {
	const left = x + 3 + width > area.x + area.w ? x - 3 - width : x + 3;
	const row = taken.findIndex(ends => ends.every(([a, b]) => left > b + 4 || left + width < a - 4));

	if (row >= 0)
		taken[row].push([left, left + width]);
	return { left, row };
}

/*
 * Vertical lines at cache sizes, drawn under the curves. Their texts stand where the curves do not:
 * above rising latencies, below falling bandwidths. One that has no room is left out.
 */
function sizeLines(sizes, isBelow, style) {
	return (ctx, area, g) => {
		const taken = [[], [], [], [], []];

		ctx.save();
		ctx.font = "11px " + style.fontFamily;
		ctx.setLineDash([4, 4]);
		for (const s of sizes) {
			const x = pixelOf(g, area, s.size), text = sizeText(s);
			if (x < area.x || x > area.x + area.w)
				continue;
			const { left, row } = placeText(area, x, ctx.measureText(text).width, taken);
			ctx.strokeStyle = ctx.fillStyle = s.logs.length > 1 ? style.getPropertyValue("--mute")
				: HUES[s.logs[0] % HUES.length];
			ctx.beginPath();
			ctx.moveTo(x, area.y);
			ctx.lineTo(x, area.y + area.h);
			ctx.stroke();
			if (row >= 0)
				ctx.fillText(text, left, isBelow ? area.y + area.h - 6 - 13 * row : area.y + 12 + 13 * row);
		}
		ctx.restore();
	};
}

/* Ticks of a logarithmic axis at powers of two, about 60 pixels apart. */
function powerTicks(text) {
	return (low, high, pixels, ...rest) => {
		const first = Math.ceil(Math.log2(low)), last = Math.floor(Math.log2(high)), ticks = [];
		const step = Math.ceil((last - first + 1) / Math.max(1, Math.floor(pixels / 60)));

		for (let power = first; power <= last; power += step)
			ticks.push({ v: 2 ** power, label: text(2 ** power) });
		return ticks.length > 1 ? ticks : Dygraph.numericTicks(low, high, pixels, ...rest);
	};
}

/* Every second curve is dashed, so that it shows below an equal one; curves of one colour differ in it. */
const PATTERNS = [["solid", null], ["dashed", [6, 3]], ["dotted", [2, 3]]];

function patternOf(look) {
	return (Math.floor(look / HUES.length) + look % 2) % PATTERNS.length;
}

/* A number for the colour and the stroke of each curve: that of its log, if no log has two curves here. */
function looksOf(list) {
	const byLog = SHOWN.size > 1 && new Set(list.map(c => c.log)).size === list.length;

	return list.map((c, k) => byLog ? c.log : k);
}

/* Below a plot: the value that the pointer is on, and each curve. A click hides or shows a curve; one stays. */
function legendOf(curves, looks, xName, xText) {
	return data => {
		const all = document.createDocumentFragment(), at = data.x !== undefined;

		all.append(element("span", {}, at ? xName + ": " + xText(data.x) : ""));
		data.series.forEach((s, k) => {
			const entry = element("span", { class: "curve",
				style: "--hue:" + HUES[looks[k] % HUES.length] + ";--stroke:" + PATTERNS[patternOf(looks[k])][0] },
				label(curves[k].name, curves[k].log) +
					(at && s.y !== undefined && s.y !== null ? ": " + number(s.y) : ""));
			const visible = data.dygraph.visibility()[k];

			entry.classList.toggle("hidden", !visible);
			entry.onclick = () => {
				if (!visible || data.dygraph.visibility().filter(v => v).length > 1)
					data.dygraph.setVisibility(k, !visible);
			};
			all.append(entry);
		});
		return all;
	};
}

/* Ticks of a linear axis: whole numbers alone. */
function wholeTicks(text) {
	return (low, high, pixels) => {
		const ticks = [], step = Math.max(1, Math.ceil((high - low) / Math.max(1, Math.floor(pixels / 60))));

		for (let v = Math.ceil(low / step) * step; v <= high; v += step)
			ticks.push({ v, label: text(v) });
		return ticks;
	};
}

/* The x axis of a plot in powers of two, or of a series in equal steps. */
function xAxis(xs, isSeries, text) {
	const first = xs[0], last = xs[xs.length - 1], power = !isSeries;
	const room = (last - first) * 0.03 || 0.2;

	return { window: power ? [first / 1.1, last * 1.1] : [first - room, last + room],
		options: { logscale: power, drawGrid: true,
			axisLabelFormatter: v => Number.isInteger(v) ? text(v) : "",
			ticker: power ? powerTicks(text) : wholeTicks(text) } };
}

/* From 0 to above the highest point, so that 3 % look like 3 %. Latencies span powers: null. */
function yRange(list, isPowers) {
	return isPowers ? null : [0, 1.06 * Math.max(...list.flatMap(c => [...c.points.values()].map(f => f[0])))];
}

/* What the number of a sweep of branches counts. */
const BRANCHES = { pattern: "bits of a random pattern (history)", btb16: "jumps, 16 bytes apart",
	btb64: "jumps, 64 bytes apart", indirect: "targets of an indirect jump",
	returns: "calls, one inside the other" };

function drawPlot(place, plot, list, sizes) {
	const xs = [...new Set(list.flatMap(c => [...c.points.keys()]))].sort((a, b) => a - b);
	const isBand = plot.startsWith("bandwidth."), isBytes = isBand || plot.includes(" bytes");
	const isLatency = plot.startsWith("latency"), isPowers = isLatency || inPowers, isSeries = plot.startsWith("series ");
	const ticks = isBytes ? bytesText : String, under = v => list.some(c => c.memory === v) ? "memory" : ticks(v);
	const x = xAxis(xs, isSeries, ticks), range = yRange(list, isPowers);
	const looks = looksOf(list), hues = looks.map(n => HUES[n % HUES.length]);
	const title = isBand ? plot.split("\n")[0] : [...new Set(list.map(c => c.name))].join(", ");
	const canvas = element("div", { class: "plot" }), legend = element("div", { class: "legend" });
	/* The library knows curves by their names, and names of logs may be equal: numbers are not. */
	const names = list.map((c, k) => String(k)), style = getComputedStyle(document.body);

	const below = isBytes ? "footprint" : isSeries ? "run" : "n";
	const counted = new Set(list.map(c => BRANCHES[c.name.replace("branch.", "")] || "n: number in the name"));

	place.append(element("div", { class: "chart" },
		element("h3", {}, title + ": " + list[0].rate), canvas, legend));
	return new Dygraph(canvas, xs.map(v => [v, ...list.map(c => c.points.has(v) ? c.points.get(v)[0] : null)]), {
		labels: ["x", ...names], colors: hues, dateWindow: x.window, valueRange: range,
		strokeWidth: 1.5, drawPoints: true, pointSize: 2.5, connectSeparatedPoints: true,
		axisLineColor: style.getPropertyValue("--mute"), gridLineColor: style.getPropertyValue("--line"),
		series: Object.fromEntries(list.map((c, k) => [names[k],
			{ strokePattern: PATTERNS[patternOf(looks[k])][1] }])),
		axes: { x: x.options, y: { logscale: isPowers, axisLabelWidth: 56 } }, yRangePad: isPowers ? 30 : null,
		legend: "always", labelsDiv: legend,
		legendFormatter: legendOf(list, looks, below, under),
		xlabel: isBytes ? "footprint in bytes, log scale (K: 1024, M: 1024 K, G: 1024 M)" :
			isSeries ? "run" : [...counted].join("; ") + ", log scale",
		ylabel: list[0].rate + (isPowers ? ", log scale" : ""),
		xLabelHeight: 16, yLabelWidth: 16,
		underlayCallback: isBand || isLatency ? sizeLines(sizes, isBand, style) : undefined,
		interactionModel: { ...Dygraph.defaultInteractionModel,
			dblclick: (e, g) => g.updateOptions({ dateWindow: x.window, valueRange: range }) },
	});
}

/* The times of branches of a log: { sweeps: name -> number -> figure, steps, unit }. */
function branchesOf(log) {
	const sweeps = new Map(), steps = new Set();
	const results = log.results.filter(r => /^branch\.[a-z0-9]+\.\d+$/.test(r.bench));
	const [key, unit] = unitOf(results);

	for (const r of results) {
		const [, name, n] = r.bench.split("."), f = r[key];
		if (!f || f[3] || f[0] <= 0)
			continue;
		sweeps.set(name, (sweeps.get(name) || new Map()).set(+n, f));
		steps.add(+n);
	}
	return { sweeps, steps: [...steps].filter(n => Number.isInteger(Math.log2(n))).sort((a, b) => a - b), unit };
}

/* What the colours of a heat map mean: five of them, from the lowest figure to the highest. */
function heatLegend(low, high, unit) {
	const values = [0, 0.25, 0.5, 0.75, 1].map(part => low * (high / low) ** part);

	return element("div", { class: "legend scale" }, element("span", {}, unit + ":"),
		...values.map(v => element("span", { class: "step", style: "--hue:" + heat(v, low, high).colour }, number(v))));
}

/* The lowest and the highest figure of all maps of a unit: equal figures have equal colours. */
function branchRange(maps, unit) {
	const values = maps.filter(m => m.unit === unit).flatMap(m => [...m.sweeps.values()])
		.flatMap(points => [...points.values()].map(f => f[0]));

	return [Math.min(...values), Math.max(...values)];
}

/* Branches: a row a sweep, a field a step (powers of two), the darker the longer a branch takes. */
function drawBranches(place) {
	const maps = shownLogs().map(([log, i]) => ({ i, ...branchesOf(log) })).filter(m => m.steps.length >= 4);

	for (const { i, sweeps, steps, unit } of maps) {
		const [low, high] = branchRange(maps, unit);
		const field = (name, n, f) => f ? heatCell(f[0], low, high, name + "." + n + ": " + number(f[0]) + " " +
			unit, number(f[0])) : element("td");

		place.append(element("div", { class: steps.length > 7 ? "chart wide" : "chart" },
			element("h3", {}, label("branches", i) + ": " + unit + " a branch, by number"),
			element("div", { class: "scroll" }, element("table", { class: "heat branches" },
				element("tr", {}, element("th", {}, "number of"), ...steps.map(n => element("th", {}, bytesText(n)))),
				...[...sweeps].map(([name, m]) => element("tr", {},
					element("th", { title: "branch." + name }, BRANCHES[name] || name),
					...steps.map(n => field(name, n, m.get(n))))))),
			heatLegend(low, high, unit + " a branch")));
	}
}

/* Latencies first, then bandwidths, then what else there is. */
function rankOf(plot) {
	return plot.startsWith("latency") ? 0 : plot.startsWith("bandwidth") ? 1 : 2;
}

/* Curves by plot. Sweeps that stop at the same numbers share one; a sweep of several logs always does. */
function plotsOf(all) {
	const plots = new Map(), stops = new Map();

	for (const c of all)
		stops.set(c.name, new Set([...(stops.get(c.name) || []), ...c.points.keys()]));
	for (const c of all.sort((a, b) => rankOf(a.plot) - rankOf(b.plot))) {
		const oneAxis = /^(latency|series |bandwidth)/.test(c.plot);
		const key = c.plot + "\n" + (oneAxis ? "" : [...stops.get(c.name)].sort((a, b) => a - b).join());
		plots.set(key, [...(plots.get(key) || []), c]);
	}
	return plots;
}

function drawPlots() {
	const place = document.getElementById("charts"), plots = plotsOf([...curves(), ...seriesCurves()]);

	place.replaceChildren();
	hideSection("plots", !plots.size && !shownLogs().some(([log]) => branchesOf(log).steps.length >= 4));
	if (typeof Dygraph === "undefined") {
		place.append(element("p", { class: "note" }, "This cpl0-log was built without dygraphs: no plots."));
		drawBranches(place);
		return [];
	}
	const sizes = cacheSizes();
	const drawn = [...plots.values()].map(list => drawPlot(place, list[0].plot, list, sizes));
	drawBranches(place);
	return drawn;
}

/*
 * Samples: a bar for each record `sample`, `skid`, `address` or `branch`, as long as its share. An
 * event clock by clock: a bar for each record `trace`, as long as what had happened by then. Ports:
 * a box for each term of a record `ports`, as wide as its number.
 */

const SAMPLED = { sample: "samples", skid: "distance of samples", address: "data of samples",
	branch: "branches before samples", trace: "clock by clock", ports: "ports" };
const SAMPLED_NOTES = {
	sample: "Which instruction was sampled, by each method, or at which byte of the body.",
	skid: "How many instructions behind the one that caused the event the sample lies: +0 is that one.",
	address: "Which data the sampled instruction accessed.",
	branch: "From which byte of the body to which a branch went before a sample.",
	trace: "How many events had happened by that clock, on average over the runs that were stopped there.",
	ports: "Which ports an instruction uses: a box for each set of ports, as wide as its uops.",
};

function traceRow(f, all) {
	const top = Math.max(1, ...all.map(r => Number(Object.fromEntries(r[1]).mean || 0)));
	const bar = element("div", { class: "bar trace" });

	bar.style.width = 100 * Number(f.mean || 0) / top + "%";
	return element("tr", {}, element("td", {}, "clock"), element("td", {}, f.clock || "others"),
		element("td", {}, "rest" in f ? f.rest + " clocks" : f.min === f.max ? "" :
			f.min + " to " + f.max),
		element("td", { class: "bars" }, bar), element("td", {}, f.mean || ""));
}

/*
 * "1*p06+2*p23": a box for 06 and one for 23, twice as wide; the same ports have the same colour. The
 * instruction with the most uops fills its bar.
 */
function portsRow(f, all) {
	const terms = r => Object.fromEntries(r[1]).ports.split("+").filter(t => t !== "0").map(t => t.split("*"));
	const names = [...new Set(all.flatMap(terms).map(t => t[1]))].sort();
	const uops = r => terms(r).reduce((sum, t) => sum + Number(t[0]), 0);
	const boxes = terms([0, Object.entries(f)]).map(([n, name]) => element("div", { class: "port",
		style: "flex: " + Number(n) + "; background: " + HUES[names.indexOf(name) % HUES.length] },
		(n === "1" ? "" : n + " ") + name));

	return element("tr", {}, element("td", {}, f.by || "uops"), element("td", {}, f.form || f.bench),
		element("td", {}, f.left ? "left: " + f.left : ""),
		element("td", { class: "bars" }, element("div", { class: "ports", style: "width:" +
			100 * uops([0, Object.entries(f)]) / Math.max(1, ...all.map(uops)) + "%" }, ...boxes)),
		element("td", {}, f.ports));
}

function branchText(f) {
	return f.missed + " missed" + (f.min ? ", " + f.min + " to " + f.max + " clocks" : "");
}

function sampleRow(record, index, all) {
	const f = Object.fromEntries(record[1]);
	if (record[0] === "trace")
		return traceRow(f, all);
	if (record[0] === "ports")
		return portsRow(f, all);
	const bar = element("div", { class: "bar " + f.method });
	const place = "distance" in f ? "+" + f.distance : "offset" in f ? "byte " + f.offset :
		"from" in f ? f.from + " to " + f.to : f.address || "others";
	bar.style.width = Number(f.share) + "%";
	return element("tr", {}, element("td", {}, f.method), element("td", {}, place),
		element("td", {}, f.instruction || ("missed" in f ? branchText(f) :
			f.latency ? f.latency + " clocks" : "")),
		element("td", { class: "bars" }, bar),
		element("td", {}, Number(f.share).toFixed(1) + " % (" + f.count + ")"));
}

function drawSamples() {
	const place = document.getElementById("sample-list"), charts = new Map();

	place.replaceChildren();
	shownLogs().forEach(([log, i]) => log.records.filter(([k]) => k in SAMPLED).forEach(r => {
		const f = Object.fromEntries(r[1]);
		const what = f.event ? ", " + f.bench + ": " + f.event : "";
		const title = label(SAMPLED[r[0]] + what, i) + ", " + log.name +
			(log.emulated ? " (simulated)" : "");
		charts.set(title, [...(charts.get(title) || []), r]);
	}));
	for (const [title, records] of charts)
		place.append(element("div", { class: "chart" }, element("h3", {}, title),
			element("p", { class: "note" }, SAMPLED_NOTES[records[0][0]]),
			element("table", { class: "samples" }, ...records.map(sampleRow))));
	hideSection("samples", !charts.size);
}

/* Records as they stand in the log. */

const VERDICTS = { check: "exact", expect: "match", geometry: "match", counter: "proven" };
const DRAWN = ["series", "pair", "litmus"];
const TROUBLE = ["error", "trap", "timeout", "warn"];

function recordTable(records) {
	return element("table", { class: "records" }, ...records.map(([kind, fields]) => element("tr", {},
		element("td", {}, kind),
		element("td", {}, fields.map(([k, v]) => k + " " + v).join(", ")))));
}

function drawVerdicts() {
	const place = document.getElementById("verdict-list");

	place.replaceChildren();
	shownLogs().forEach(([log, i]) => {
		const before = place.childNodes.length;

		if (LABELS[i])
			place.append(element("h3", {}, LABELS[i] + ": " + log.name));
		for (const [kind, good] of Object.entries(VERDICTS)) {
			const all = log.records.filter(([k, f]) => k === kind && f.some(([n]) => n === "verdict"));
			const bad = all.filter(([, f]) => !f.some(([n, v]) => n === "verdict" && v === good));
			if (!all.length)
				continue;
			place.append(element("p", { class: bad.length ? "bad" : "good" },
				kind + ": " + (all.length - bad.length) + " of " + all.length + " " + good));
			if (bad.length)
				place.append(recordTable(bad));
		}
		const trouble = log.records.filter(([k]) => TROUBLE.includes(k));
		if (trouble.length)
			place.append(recordTable(trouble));
		else if (place.childNodes.length === before + (LABELS[i] ? 1 : 0))
			place.append(element("p", { class: "note" }, "No counter to prove, and nothing went wrong."));
	});
}

function drawRecords() {
	const place = document.getElementById("record-list");

	place.replaceChildren();
	shownLogs().forEach(([log, i]) => {
		const rest = log.records.filter(([k]) => !(k in VERDICTS) && !(k in SAMPLED) &&
			!TROUBLE.includes(k) && !DRAWN.includes(k));
		place.append(element("details", SHOWN.size === 1 ? { open: "" } : {},
			element("summary", {}, (LABELS[i] ? LABELS[i] + ": " : "") + log.name + ", " +
				rest.length + " records"), recordTable(rest)));
	});
}

let ROWS, RESULTS, FORMS, PLOTS;

/* Everything that depends on which logs are shown, and on the reader's screen. */
function render() {
	ROWS = mergedRows();
	drawMachines();
	RESULTS = drawResults(ROWS);
	FORMS = drawInstructions(ROWS);
	PLOTS = drawPlots();
	drawSheets();
	drawCores();
	drawSamples();
	drawVerdicts();
	drawRecords();
}

/* #row=alu.imul_latency and #form=ADD r32, r32 lead to a row. */
function follow() {
	const [, kind, name] = /^#(row|form)=(.*)$/.exec(location.hash) || [];
	const grid = kind === "row" ? RESULTS : FORMS;

	if (kind && grid)
		grid.go(decodeURIComponent(name));
}

document.getElementById("columns").onchange = () => {
	RESULTS = drawResults(ROWS);
};
document.getElementById("scale").onchange = e => {
	inPowers = e.target.value === "powers";
	PLOTS = drawPlots();
};
document.getElementById("unit").onchange = e => {
	perTime = e.target.value === "time";
	PLOTS = drawPlots();
};
for (const [id, chosen] of [["all", () => true], ["none", i => i === 0]])
	document.getElementById(id).onclick = () => {
		SHOWN.clear();
		DATA.logs.forEach((log, i) => chosen(i) && SHOWN.add(i));
		render();
	};
DARK.onchange = () => {
	HUES = DARK.matches ? DARK_HUES : LIGHT_HUES;
	render();
};
window.onhashchange = follow;
render();
follow();
