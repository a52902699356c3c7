/* The report page of cpl0-log: data comes from the element `data`, plots from dygraphs. */
"use strict";

const DATA = JSON.parse(document.getElementById("data").textContent);
const DARK = matchMedia("(prefers-color-scheme: dark)");
const LIGHT_HUES = ["#2563eb", "#ea580c", "#16a34a", "#9333ea", "#0891b2", "#be123c", "#854d0e", "#475569"];
const DARK_HUES = ["#60a5fa", "#fb923c", "#4ade80", "#c084fc", "#22d3ee", "#fb7185", "#eab308", "#94a3b8"];
let HUES = DARK.matches ? DARK_HUES : LIGHT_HUES;
const ROW = 22, LINE = 17, LETTER = 8.5, TEXT = 7.5, BOLD = 9.5; /* pixels */
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
	return Math.abs(v) < 1000 ? v.toFixed(2) : v.toFixed(0);
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

function spread(f) {
	if (exact(f))
		return 0;
	if (!f || f[3] || f[0] <= 0)
		return null;
	return (f[2] - f[1]) * 100 / f[0];
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

/* Text that may break behind a dot, an underline or a colon, and nowhere else. */
function breakable(text) {
	return text.split(/(?<=[._:])/).flatMap((part, i) => i ? [element("wbr"), part] : [part]);
}

/* A cell as a field of CSV. A program that opens it must not take text for a formula. */
function csvField(v) {
	const text = v === null || v === undefined ? "" : String(v);
	const safe = typeof v === "string" && /^[=+\-@\t\r]/.test(text) ? "'" + text : text;

	return /[",\n\r]/.test(safe) ? '"' + safe.replace(/"/g, '""') + '"' : safe;
}

/*
 * A table that keeps only the visible rows in the document. A column has title, value(row) for
 * sorting and CSV, and optionally text(row), hint(row), mark(row), link(row), name (left-aligned)
 * and width. The first column stays in sight. A table can be pulled longer, and fill the window.
 */
class Grid {
	constructor(place, columns, rows, search, count) {
		Object.assign(this, { place, columns, rows, count, shown: rows, order: null, target: "" });
		const widths = columns.map(c => c.width || this.width(c));
		place.style.setProperty("--columns", widths.join(" ") + " 1fr");
		/* Lines of the longest heading, with room for the arrow. */
		const lines = c => Math.ceil((c.title.length + 2) * TEXT / (parseFloat(c.width || this.width(c)) - 16));
		this.top = 6 + LINE * Math.min(4, Math.max(...columns.filter(c => !c.name).map(lines)));
		place.style.setProperty("--top", this.top + "px");
		this.head = element("div", { class: "head" });
		this.body = element("div", {});
		place.replaceChildren(this.head, this.body);
		columns.forEach((c, i) => {
			const cell = element("div", { class: c.name ? "name" : "", title: c.title });
			cell.onclick = () => this.sort(i);
			this.head.append(cell);
		});
		place.onscroll = () => this.draw();
		search.oninput = () => this.filter(search.value);
		this.buttons(place.previousElementSibling, search);
		new ResizeObserver(() => this.draw()).observe(place);
		this.filter(search.value);
	}

	/* Wide enough for the longest part of the title that does not break, and for "123456.78". */
	width(c) {
		const parts = c.title.split(/(?<=[._:])| /).map(t => t.length);

		return Math.max(94, Math.max(...parts) * BOLD + 18) + "px";
	}

	/* CSV and size, in the element `tools` that stands before the table. */
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
		this.arrange();
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
		this.head.childNodes.forEach((cell, i) => {
			const arrow = this.order && this.order.i === i ? (this.order.down ? " ▼" : " ▲") : "";
			cell.replaceChildren(...breakable(this.columns[i].title), arrow);
		});
		this.count.textContent = this.shown.length + " of " + this.rows.length;
		this.place.classList.toggle("short", this.shown.length < 20);
		this.body.style.height = this.shown.length * ROW + "px";
		this.place.scrollTop = 0;
		this.draw();
	}

	draw() {
		const height = this.place.clientHeight || 480;
		const first = Math.max(0, Math.floor((this.place.scrollTop - this.top) / ROW) - 5);
		const end = Math.min(this.shown.length, first + Math.ceil(height / ROW) + 15);
		this.body.replaceChildren(...this.shown.slice(first, end).map((r, k) => {
			const row = element("div", { class: "row", style: "top:" + (this.top + (first + k) * ROW) + "px" });
			row.classList.toggle("target", this.target === this.columns[0].value(r));
			for (const c of this.columns) {
				const value = c.value(r);
				const text = c.text ? c.text(r) : typeof value === "string" ? value : number(value);
				const cell = element("div", { class: c.name ? "name" : "" },
					c.link ? element("a", { href: c.link(r) }, text) : text);
				const hint = c.hint ? c.hint(r) : c.name ? text : "";
				if (hint)
					cell.title = hint;
				if (c.mark && c.mark(r))
					cell.classList.add("marked");
				row.append(cell);
			}
			return row;
		}));
	}
}

const LABELS = DATA.logs.map((log, i) => DATA.logs.length === 1 ? "" : "ABCDEFGH"[i] || String(i + 1));

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
	return (log.core_per_tsc ? "core " + (tsc * log.core_per_tsc).toFixed(2) + " GHz, " : "") +
		"TSC " + tsc.toFixed(2) + " GHz";
}

function cacheText(log) {
	return recordsOf(log, "cache").filter(c => c.type !== "code")
		.map(c => "L" + c.level + " " + bytesText(+c.size)).join(", ");
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
	document.querySelector("h1").textContent = names.length === 1 ? names[0] : names.length + " machines";
	place.replaceChildren();
	DATA.logs.forEach((log, i) => {
		const card = element("div", { class: "machine", style: "--hue:" + HUES[i % HUES.length] }, cardHead(log, i));
		const lines = [originText(log), cpuText(log), clockText(log), cacheText(log), "counters " + log.pmu,
			log.file + (log.runs > 1 ? ", run " + log.run + " of " + log.runs : "") + ", cpl0 " + log.version + ", " + log.bits + " bit",
			log.results.length + " results, status " + (log.status || "none: not finished")];
		card.append(...lines.filter(t => t).map(t => element("span", {}, t)));
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
	return [...uses.keys()].sort((a, b) => uses.get(b) - uses.get(a)).slice(0, 12);
}

function logColumns(log, i) {
	const of = r => r.by[i];
	const columns = [
		{ title: label("clocks", i), value: r => of(r) && of(r).clocks && of(r).clocks[0],
			text: r => figure(of(r) && of(r).clocks), hint: r => range(of(r) && of(r).clocks),
			mark: r => of(r) && of(r).marks },
		{ title: label("ns", i), value: r => of(r) && of(r).ns && of(r).ns[0],
			text: r => figure(of(r) && of(r).ns), hint: r => range(of(r) && of(r).ns) },
		{ title: label("spread %", i), value: r => spread(time(of(r))),
			text: r => { const s = spread(time(of(r))); return s === null ? "" : exact(time(of(r))) ? "exact" : s.toFixed(1); } },
		{ title: label("marks", i), width: "76px", value: r => (of(r) && of(r).marks) || "" },
	];
	for (const [title, key] of [["bytes/clock", "bytes_per_clock"], ["GB/s", "gb_per_s"]])
		if (log.results.some(r => r[key]))
			columns.push({ title: label(title, i), value: r => of(r) && of(r)[key] && of(r)[key][0] });
	for (const name of eventsOf(log))
		columns.push({ title: label(Object.hasOwn(log.titles || {}, name) ? log.titles[name] : name, i),
			value: r => of(r) && of(r).events[name] ? of(r).events[name][0] : null,
			text: r => figure(of(r) && of(r).events[name]),
			mark: r => of(r) && of(r).events[name] && of(r).events[name][6],
			hint: r => range(of(r) && of(r).events[name]) });
	return columns;
}

/* The first two logs that are shown, side by side. */
function ratio(r) {
	const [a, b] = [...SHOWN].sort((i, j) => i - j).map(i => time(r.by[i]));
	return a && b && a[0] > 0 && !a[3] && !b[3] ? b[0] / a[0] : null;
}

/* The column of names: as wide as the longest one, and not more than half of a small screen. */
function nameWidth(names) {
	const longest = names.reduce((n, t) => Math.max(n, t.length), 12);

	return "min(" + (Math.min(longest, 44) * LETTER + 18) + "px, 50vw)";
}

function drawResults(rows) {
	const columns = [{ title: "benchmark", name: true, width: nameWidth(rows.map(r => r.bench)), value: r => r.bench,
		link: r => "#row=" + encodeURIComponent(r.bench) }];
	if (SHOWN.size === 2) {
		const [a, b] = [...SHOWN].sort((i, j) => i - j).map(i => LABELS[i]);
		columns.push({ title: b + " / " + a, width: "80px", value: ratio });
	}
	shownLogs().forEach(([log, i]) => columns.push(...logColumns(log, i)));
	if (rows.some(r => r.code))
		columns.push({ title: "code", name: true, width: nameWidth(rows.map(r => r.code)), value: r => r.code });
	document.getElementById("marks").textContent = DATA.marks +
		"\nA figure is red if it has marks, or if its counter failed a later proof.";
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
	const columns = [{ title: "instruction", name: true, width: nameWidth([...forms.keys()]), value: r => r.form,
		link: r => "#form=" + encodeURIComponent(r.form) },
		{ title: "ISA set", name: true, width: nameWidth([...forms.values()].map(r => r.isa)), value: r => r.isa }];
	shownLogs().forEach(([log, i]) => {
		for (const kind of ["latency", "throughput"]) {
			const of = r => r[kind] && time(r[kind].by[i]);
			columns.push({ title: label(kind, i), value: r => { const f = of(r); return f ? f[0] : null; },
				text: r => figure(of(r)), hint: r => range(of(r)),
				mark: r => of(r) && r[kind].by[i].marks });
		}
		const ports = portsOf(log), has = (r, key) => (ports.get(r.form) || {})[key];
		if (ports.size)
			columns.push({ title: label("uops", i), value: r => has(r, "uops") === undefined ? null : has(r, "uops") },
				{ title: label("ports", i), width: "160px", value: r => has(r, "ports") || "" });
	});
	columns.push({ title: "uops.info", value: r => uopsInfo(r.form), text: () => "search", link: r => uopsInfo(r.form) });
	return new Grid(document.getElementById("form-table"), columns, [...forms.values()],
		document.getElementById("form-filter"), document.getElementById("form-count"));
}

/* Plots */

const UNITS = { "": 1, k: 1024, m: 1 << 20, g: 1 << 30 };
const LEVELS = ["l1", "l2", "l3", "memory"];

function bytesText(v) {
	return v >= 1 << 20 ? v / (1 << 20) + "M" : v >= 1024 ? v / 1024 + "K" : String(v);
}

/* Times in clocks or ns, bandwidth in bytes a clock or GB/s; the reader chooses. */
let perTime = false;

function timeOf(r) {
	return perTime && r.ns ? [r.ns, "ns"] : r.clocks ? [r.clocks, "clocks"] : [r.tsc, "TSC ticks"];
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
	const sizes = recordsOf(log, "cache").filter(c => c.type !== "code").map(c => [+c.level, +c.size]);
	const size = new Map(sizes).get(LEVELS.indexOf(level) + 1);

	if (level === "memory")
		return sizes.length ? 4 * Math.max(...sizes.map(([, bytes]) => bytes)) : null;
	return size ? size / 2 : null;
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
	shownLogs().forEach(([log, i]) => log.results.forEach(r => {
		const sweep = /^(.+)\.(\d+)([kmg]?)$/.exec(r.bench);
		const band = /^bandwidth\.([a-z_]+?)_([a-z0-9]+)\.(l1|l2|l3|memory)$/.exec(r.bench);
		const x = band && footprintOf(log, band[3]);

		if (band && x)
			for (const rate of ratesOf(r))
				add("bandwidth." + band[1], band[2], i, x, rate).memory ||= band[3] === "memory" && x;
		if (!band && sweep && !r.bench.startsWith("instr."))
			add(sweep[1].split(".")[0] + (sweep[3] ? " bytes" : ""), sweep[1], i,
				sweep[2] * UNITS[sweep[3]], timeOf(r));
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

/* Sizes of caches: what was measured (`geometry`), else what the CPU tells (`cache`). */
function cacheSizes() {
	const sizes = [];
	shownLogs().forEach(([log, i]) => {
		const measured = log.records.filter(([k, f]) => k === "geometry" && f.some(([n]) => n === "fits"));
		const told = log.records.filter(([k, f]) => k === "cache" &&
			f.some(([n, v]) => n === "type" && (v === "data" || v === "unified")));
		for (const [kind, fields] of measured.length ? measured : told) {
			const f = Object.fromEntries(fields);
			const size = +(f.fits || f.size);
			if (size)
				sizes.push({ size, log: i, text: label("L" + f.level, i) + " " + bytesText(size) +
					(kind === "cache" ? "" : " measured") });
		}
	});
	return sizes;
}

/* Where `v` of the x axis stands, in pixels of the canvas. The library's toDomXCoord ignores `logscale`. */
function pixelOf(g, area, v) {
	return area.x + g.toPercentXCoord(v) * area.w;
}

/* Vertical lines at cache sizes, drawn under the curves. */
function sizeLines(sizes) {
	return (ctx, area, g) => {
		ctx.save();
		ctx.setLineDash([4, 4]);
		sizes.forEach((s, k) => {
			const x = pixelOf(g, area, s.size);
			if (x < area.x || x > area.x + area.w)
				return;
			ctx.strokeStyle = ctx.fillStyle = HUES[s.log % HUES.length];
			ctx.beginPath();
			ctx.moveTo(x, area.y);
			ctx.lineTo(x, area.y + area.h);
			ctx.stroke();
			ctx.fillText(s.text, x + 3, area.y + 12 + 12 * (k % 4));
		});
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

/* Below a plot: the value that the pointer is on, and each curve. A click hides or shows a curve; one stays. */
function legendOf(curves, hues, xName, xText) {
	return data => {
		const all = document.createDocumentFragment(), at = data.x !== undefined;

		all.append(element("span", {}, xName + (at ? ": " + xText(data.x) : "")));
		data.series.forEach((s, k) => {
			const entry = element("span", { class: "curve", style: "--hue:" + hues[k] },
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
	const isPowers = plot.startsWith("latency"), isSeries = plot.startsWith("series ");
	const ticks = isBytes ? bytesText : String, under = v => list.some(c => c.memory === v) ? "memory" : ticks(v);
	const x = xAxis(xs, isSeries, ticks), range = yRange(list, isPowers);
	const hues = list.map((c, k) =>
		HUES[(SHOWN.size > 1 && list.length <= SHOWN.size ? c.log : k) % HUES.length]);
	const title = list.every(c => c.name === list[0].name) && !isBand ? list[0].name
		: plot.split(/\n| bytes/)[0];
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
			SHOWN.size > 1 && c.log % 2 ? { strokePattern: [6, 3] } : {}])),
		axes: { x: x.options, y: { logscale: isPowers, axisLabelWidth: 56 } }, yRangePad: isPowers ? 12 : null,
		legend: "always", labelsDiv: legend,
		legendFormatter: legendOf(list, hues, below, under),
		xlabel: isBytes ? "footprint in bytes (K: 1024, M: 1024 K)" :
			isSeries ? "run" : [...counted].join("; "), ylabel: list[0].rate,
		xLabelHeight: 16, yLabelWidth: 16,
		underlayCallback: isBand || isPowers ? sizeLines(sizes) : undefined,
		interactionModel: { ...Dygraph.defaultInteractionModel,
			dblclick: (e, g) => g.updateOptions({ dateWindow: x.window, valueRange: range }) },
	});
}

/* The times of branches of a log: { sweeps: name -> number -> figure, steps, unit }. */
function branchesOf(log) {
	const sweeps = new Map(), steps = new Set();
	let unit = "";

	for (const r of log.results) {
		const [, name, n] = /^branch\.([a-z0-9]+)\.(\d+)$/.exec(r.bench) || [];
		const [f, of] = timeOf(r);
		if (!name || !f || f[3] || f[0] <= 0)
			continue;
		sweeps.set(name, (sweeps.get(name) || new Map()).set(+n, f));
		steps.add(+n);
		unit = of;
	}
	return { sweeps, steps: [...steps].filter(n => Number.isInteger(Math.log2(n))).sort((a, b) => a - b), unit };
}

/* What the colours of a heat map mean: five of them, from the lowest figure to the highest. */
function heatLegend(low, high, unit) {
	const values = [0, 0.25, 0.5, 0.75, 1].map(part => low * (high / low) ** part);

	return element("div", { class: "legend scale" }, element("span", {}, unit + ":"),
		...values.map(v => element("span", { class: "step", style: "--hue:" + heat(v, low, high).colour }, number(v))));
}

/* Branches: a row a sweep, a field a step (powers of two), the darker the longer a branch takes. */
function drawBranches(place) {
	shownLogs().forEach(([log, i]) => {
		const { sweeps, steps, unit } = branchesOf(log);
		const values = [...sweeps.values()].flatMap(m => steps.filter(n => m.has(n)).map(n => m.get(n)[0]));
		const low = Math.min(...values), high = Math.max(...values);

		if (steps.length < 4)
			return;
		const field = (name, n, f) => f ? heatCell(f[0], low, high, name + "." + n + ": " + number(f[0]) + " " +
			unit, number(f[0])) : element("td");
		place.append(element("div", { class: "chart wide" },
			element("h3", {}, label("branches", i) + ": " + unit + " a branch, by number"),
			element("div", { class: "scroll" }, element("table", { class: "heat branches" },
				element("tr", {}, element("th", {}, "number of"), ...steps.map(n => element("th", {}, bytesText(n)))),
				...[...sweeps].map(([name, m]) => element("tr", {},
					element("th", { title: "branch." + name }, BRANCHES[name] || name),
					...steps.map(n => field(name, n, m.get(n))))))),
			heatLegend(low, high, unit + " a branch")));
	});
}

function drawPlots() {
	const place = document.getElementById("charts"), plots = new Map();

	place.replaceChildren();
	for (const c of [...curves(), ...seriesCurves()]) {
		const oneAxis = /^(latency|series |bandwidth)/.test(c.plot);
		const key = c.plot + "\n" + (oneAxis ? "" : [...c.points.keys()].join());
		plots.set(key, [...(plots.get(key) || []), c]);
	}
	if (typeof Dygraph === "undefined") {
		place.append(element("p", { class: "note" }, "This cpl0-log was built without dygraphs: no plots."));
		drawBranches(place);
		return [];
	}
	if (!plots.size)
		place.append(element("p", { class: "note" }, "The log has nothing that makes a curve: " +
			"latency.*, bandwidth.*, branch.*, frontend.* and series from cold would."));
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

function traceRow(f, all) {
	const top = Math.max(1, ...all.map(r => Number(Object.fromEntries(r[1]).mean || 0)));
	const bar = element("div", { class: "bar trace" });

	bar.style.width = 100 * Number(f.mean || 0) / top + "%";
	return element("tr", {}, element("td", {}, "clock"), element("td", {}, f.clock || "others"),
		element("td", {}, "rest" in f ? f.rest + " clocks" : f.min === f.max ? "" :
			f.min + " to " + f.max),
		element("td", { class: "bars" }, bar), element("td", {}, f.mean || ""));
}

/* "1*p06+2*p23": a box for 06 and one for 23, twice as wide; the same ports have the same colour. */
function portsRow(f, all) {
	const terms = r => Object.fromEntries(r[1]).ports.split("+").filter(t => t !== "0").map(t => t.split("*"));
	const names = [...new Set(all.flatMap(terms).map(t => t[1]))].sort();
	const boxes = terms([0, Object.entries(f)]).map(([n, name]) => element("div", { class: "port",
		style: "flex: " + Number(n) + "; background: " + HUES[names.indexOf(name) % HUES.length] },
		(n === "1" ? "" : n + " ") + name));

	return element("tr", {}, element("td", {}, f.by || "uops"), element("td", {}, f.form || f.bench),
		element("td", {}, f.left ? "left: " + f.left : ""),
		element("td", { class: "bars" }, element("div", { class: "ports" }, ...boxes)),
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
		place.append(element("h3", {}, (LABELS[i] ? LABELS[i] + ": " : "") + log.name));
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
		else if (place.lastChild.tagName === "H3")
			place.append(element("p", { class: "note" }, "No counter to prove, and nothing went wrong."));
	});
}

function drawRecords() {
	const place = document.getElementById("record-list");

	place.replaceChildren();
	shownLogs().forEach(([log, i]) => {
		const rest = log.records.filter(([k]) => !(k in VERDICTS) && !(k in SAMPLED) &&
			!TROUBLE.includes(k) && !DRAWN.includes(k));
		place.append(element("details", { open: "" },
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
