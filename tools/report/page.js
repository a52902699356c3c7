/* The report page of cpl0-log: data comes from the element `data`, plots from dygraphs. */
"use strict";

const DATA = JSON.parse(document.getElementById("data").textContent);
const HUES = ["#2563eb", "#ea580c", "#16a34a", "#9333ea", "#0891b2", "#be123c", "#854d0e", "#475569"];
const ROW = 22, HEAD = 58;

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

/* A figure is null or [value, low, high, below, minimum, maximum]; docs/log-format.md, `result`. */
function figure(f) {
	return !f ? "" : f[3] ? "<" + number(f[2]) : number(f[0]);
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

/*
 * A table that keeps only the visible rows in the document. A column has title, value(row) for
 * sorting, and optionally text(row), hint(row), mark(row), name (left-aligned) and width.
 */
class Grid {
	constructor(place, columns, rows, search, count) {
		Object.assign(this, { place, columns, rows, count, shown: rows, order: null });
		place.style.setProperty("--columns", columns.map(c => c.width || "110px").join(" "));
		this.head = element("div", { class: "head" });
		this.body = element("div", {});
		place.append(this.head, this.body);
		columns.forEach((c, i) => {
			const cell = element("div", { class: c.name ? "name" : "", title: c.title }, c.title);
			cell.onclick = () => this.sort(i);
			this.head.append(cell);
		});
		place.onscroll = () => this.draw();
		search.oninput = () => this.filter(search.value);
		this.filter("");
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
			cell.textContent = this.columns[i].title + arrow;
		});
		this.count.textContent = this.shown.length + " of " + this.rows.length;
		this.place.classList.toggle("short", this.shown.length < 20);
		this.body.style.height = this.shown.length * ROW + "px";
		this.place.scrollTop = 0;
		this.draw();
	}

	draw() {
		const height = this.place.clientHeight || 480;
		const first = Math.max(0, Math.floor((this.place.scrollTop - HEAD) / ROW) - 5);
		const end = Math.min(this.shown.length, first + Math.ceil(height / ROW) + 15);
		this.body.replaceChildren(...this.shown.slice(first, end).map((r, k) => {
			const row = element("div", { class: "row", style: "top:" + (HEAD + (first + k) * ROW) + "px" });
			for (const c of this.columns) {
				const value = c.value(r);
				const text = c.text ? c.text(r) : typeof value === "string" ? value : number(value);
				const cell = element("div", { class: c.name ? "name" : "" }, text);
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

function label(text, i) {
	return LABELS[i] ? text + " " + LABELS[i] : text;
}

function drawMachines() {
	const place = document.getElementById("machines");
	DATA.logs.forEach((log, i) => {
		const card = element("div", { class: "machine", style: "--hue:" + HUES[i % HUES.length] },
			element("b", {}, (LABELS[i] ? LABELS[i] + ": " : "") + log.name));
		card.append(element("span", {}, log.file +
			(log.runs > 1 ? `, run ${log.run} of ${log.runs}` : "")));
		card.append(element("span", {}, "TSC " + (log.tsc_hz / 1e6).toFixed(2) + " MHz" +
			(log.core_per_tsc ? ", " + log.core_per_tsc + " core clocks a tick" : "") +
			", counters " + log.pmu));
		card.append(element("span", {}, "cpl0 " + log.version + ", " + log.bits + " bit, " +
			log.results.length + " results, status " + (log.status || "none: not finished")));
		if (log.emulated)
			card.append(element("span", { class: "warning" }, "EMULATED: " + log.emulated));
		if (!log.intact)
			card.append(element("span", { class: "warning" }, "The log is DAMAGED: " + log.findings +
				" findings (cpl0-log check)"));
		place.append(card);
	});
}

/* The body of a benchmark. The log has the start of a long one. */
function codeOf(r) {
	return !r.code_bytes || r.code.endsWith("...") ? r.code : r.code + "; ...";
}

/* Rows of the same benchmark in all logs. */
function mergedRows() {
	const rows = new Map();
	DATA.logs.forEach((log, i) => log.results.forEach(r => {
		const key = r.bench + "\n" + r.mode + "\n" + r.cpl;
		if (!rows.has(key))
			rows.set(key, { bench: r.bench + (r.cpl ? " cpl" + r.cpl : ""), form: r.form, kind: r.kind,
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
		columns.push({ title: label(name, i), width: "130px",
			value: r => of(r) && of(r).events[name] ? of(r).events[name][0] : null,
			text: r => figure(of(r) && of(r).events[name]),
			mark: r => of(r) && of(r).events[name] && of(r).events[name][6],
			hint: r => range(of(r) && of(r).events[name]) });
	return columns;
}

function ratio(r) {
	const a = time(r.by[0]), b = time(r.by[1]);
	return a && b && a[0] > 0 && !a[3] && !b[3] ? b[0] / a[0] : null;
}

function drawResults(rows) {
	const columns = [{ title: "benchmark", name: true, width: "minmax(260px, 2fr)", value: r => r.bench }];
	if (rows.some(r => r.code))
		columns.push({ title: "code", name: true, width: "minmax(180px, 1fr)", value: r => r.code });
	if (DATA.logs.length === 2)
		columns.push({ title: "B / A", width: "80px", value: ratio });
	DATA.logs.forEach((log, i) => columns.push(...logColumns(log, i)));
	document.getElementById("marks").textContent = DATA.marks;
	return new Grid(document.getElementById("table"), columns, rows,
		document.getElementById("filter"), document.getElementById("count"));
}

/* The instruction table: a row a form, latency and throughput of each log. */
function drawInstructions(rows) {
	const forms = new Map();
	for (const r of rows) {
		if (!r.form)
			continue;
		if (!forms.has(r.form))
			forms.set(r.form, { form: r.form, search: r.form.toLowerCase() });
		forms.get(r.form)[r.kind] = forms.get(r.form)[r.kind] || r;
	}
	if (!forms.size) {
		document.getElementById("instructions").replaceChildren(element("h2", {}, "Instructions"),
			element("p", { class: "note" }, "The log has no result of the instruction table (bench=instr.*)."));
		return null;
	}
	const columns = [{ title: "instruction", name: true, width: "minmax(280px, 3fr)", value: r => r.form }];
	DATA.logs.forEach((log, i) => {
		for (const kind of ["latency", "throughput"]) {
			const of = r => r[kind] && time(r[kind].by[i]);
			columns.push({ title: label(kind, i), value: r => { const f = of(r); return f ? f[0] : null; },
				text: r => figure(of(r)), hint: r => range(of(r)),
				mark: r => of(r) && r[kind].by[i].marks });
		}
	});
	return new Grid(document.getElementById("form-table"), columns, [...forms.values()],
		document.getElementById("form-filter"), document.getElementById("form-count"));
}

/* Plots */

const UNITS = { "": 1, k: 1024, m: 1 << 20, g: 1 << 30 };
const LEVELS = ["l1", "l2", "l3", "memory"];

function bytesText(v) {
	return v >= 1 << 20 ? v / (1 << 20) + "M" : v >= 1024 ? v / 1024 + "K" : String(v);
}

/* A curve is { plot, name, log, x, f, y }; curves of one plot share their x axis. */
function curves() {
	const found = new Map();
	const add = (plot, name, log, x, f, rate) => {
		const key = plot + "\n" + name + "\n" + log;
		if (!found.has(key))
			found.set(key, { plot, name, log, rate, points: new Map() });
		if (f && !f[3])
			found.get(key).points.set(x, f);
	};
	DATA.logs.forEach((log, i) => log.results.forEach(r => {
		const sweep = /^(.+)\.(\d+)([kmg]?)$/.exec(r.bench);
		const band = /^bandwidth\.([a-z_]+?)_([a-z0-9]+)\.(l1|l2|l3|memory)$/.exec(r.bench);
		const rate = r.bytes_per_clock || r.gb_per_s;
		if (band && rate) {
			add("bandwidth." + band[1], band[2], i, LEVELS.indexOf(band[3]), rate,
				r.bytes_per_clock ? "bytes a clock" : "GB/s");
		} else if (sweep && !r.bench.startsWith("instr.")) {
			add(sweep[1].split(".")[0] + (sweep[3] ? "\nbytes" : ""), sweep[1], i,
				sweep[2] * UNITS[sweep[3]], time(r), r.clocks ? "clocks" : "TSC ticks");
		}
	}));
	return [...found.values()].filter(c => c.points.size >= (c.plot.startsWith("bandwidth.") ? 2 : 4));
}

function seriesCurves() {
	const found = [];
	DATA.logs.forEach((log, i) => log.records.forEach(([kind, fields]) => {
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
	DATA.logs.forEach((log, i) => {
		const measured = log.records.filter(([k, f]) => k === "geometry" && f.some(([n]) => n === "fits"));
		const told = log.records.filter(([k, f]) => k === "cache" &&
			f.some(([n, v]) => n === "type" && (v === "data" || v === "unified")));
		for (const [kind, fields] of measured.length ? measured : told) {
			const f = Object.fromEntries(fields);
			const size = +(f.fits || f.size);
			if (size)
				sizes.push({ size, log: i, text: (kind === "cache" ? "told " : "measured ") + bytesText(size) });
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

/* The x axis of a plot in powers of two, or of a bandwidth or series in equal steps. */
function xAxis(xs, isBand, isSeries, text) {
	const first = xs[0], last = xs[xs.length - 1], power = !isBand && !isSeries;
	const room = (last - first) * 0.03 || 0.2;

	return { window: isBand ? [-0.2, LEVELS.length - 0.8] : power ? [first / 1.1, last * 1.1] :
		[first - room, last + room],
		options: { logscale: power, drawGrid: true,
			axisLabelFormatter: v => Number.isInteger(v) ? text(v) : "",
			ticker: power ? powerTicks(text) : wholeTicks(text) } };
}

function drawPlot(place, plot, list, sizes) {
	const xs = [...new Set(list.flatMap(c => [...c.points.keys()]))].sort((a, b) => a - b);
	const isBytes = plot.endsWith("\nbytes"), isBand = plot.startsWith("bandwidth.");
	const isSeries = plot.startsWith("series ");
	const ticks = isBytes ? bytesText : isBand ? v => LEVELS[v] || "" : String;
	const x = xAxis(xs, isBand, isSeries, ticks);
	const hues = list.map((c, k) =>
		HUES[(DATA.logs.length > 1 && list.length <= DATA.logs.length ? c.log : k) % HUES.length]);
	const title = list.every(c => c.name === list[0].name) && !isBand ? list[0].name
		: plot.replace("\nbytes", "");
	const canvas = element("div", { class: "plot" }), legend = element("div", { class: "legend" });
	/* The library knows curves by their names, and names of logs may be equal: numbers are not. */
	const names = list.map((c, k) => String(k));

	place.append(element("div", { class: "chart" },
		element("h3", {}, title + ": " + list[0].rate), canvas, legend));
	return new Dygraph(canvas, xs.map(v => [v, ...list.map(c => c.points.has(v) ? c.points.get(v)[0] : null)]), {
		labels: ["x", ...names], colors: hues, dateWindow: x.window,
		strokeWidth: 1.5, drawPoints: true, pointSize: 2.5, connectSeparatedPoints: true,
		series: Object.fromEntries(list.map((c, k) => [names[k],
			DATA.logs.length > 1 && c.log % 2 ? { strokePattern: [6, 3] } : {}])),
		axes: { x: x.options, y: { logscale: isBytes, axisLabelWidth: 56 } }, yRangePad: isBytes ? 12 : null,
		legend: "always", labelsDiv: legend,
		legendFormatter: legendOf(list, hues, isBytes ? "footprint" : isBand ? "level" : "n", ticks),
		underlayCallback: isBytes && plot.startsWith("latency") ? sizeLines(sizes) : undefined,
		interactionModel: { ...Dygraph.defaultInteractionModel,
			dblclick: (e, g) => g.updateOptions({ dateWindow: x.window, valueRange: null }) },
	});
}

function drawPlots() {
	const place = document.getElementById("charts"), plots = new Map();
	for (const c of [...curves(), ...seriesCurves()]) {
		const oneAxis = /^(latency|series |bandwidth)/.test(c.plot);
		const key = c.plot + "\n" + (oneAxis ? "" : [...c.points.keys()].join());
		plots.set(key, [...(plots.get(key) || []), c]);
	}
	if (typeof Dygraph === "undefined") {
		place.append(element("p", { class: "note" }, "This cpl0-log was built without dygraphs: no plots."));
		return [];
	}
	if (!plots.size)
		place.append(element("p", { class: "note" }, "The log has nothing that makes a curve: " +
			"latency.*, bandwidth.*, branch.*, frontend.* and series from cold would."));
	const sizes = cacheSizes();
	return [...plots.values()].map(list => drawPlot(place, list[0].plot, list, sizes));
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
	DATA.logs.forEach((log, i) => log.records.filter(([k]) => k in SAMPLED).forEach(r => {
		const f = Object.fromEntries(r[1]);
		const what = f.event ? ", " + f.bench + ": " + f.event : "";
		const title = label(SAMPLED[r[0]] + what, i) + ", " + log.name +
			(log.emulated ? " (simulated)" : "");
		charts.set(title, [...(charts.get(title) || []), r]);
	}));
	for (const [title, records] of charts)
		place.append(element("div", { class: "chart" }, element("h3", {}, title),
			element("table", { class: "samples" }, ...records.map(sampleRow))));
	if (!charts.size)
		document.querySelectorAll(".sampled").forEach(e => e.hidden = true);
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
	DATA.logs.forEach((log, i) => {
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
	});
}

function drawRecords() {
	const place = document.getElementById("record-list");
	DATA.logs.forEach((log, i) => {
		const rest = log.records.filter(([k]) => !(k in VERDICTS) && !(k in SAMPLED) &&
			!TROUBLE.includes(k) && !DRAWN.includes(k));
		place.append(element("details", { open: "" },
			element("summary", {}, (LABELS[i] ? LABELS[i] + ": " : "") + log.name + ", " +
				rest.length + " records"), recordTable(rest)));
	});
}

const ROWS = mergedRows();

drawMachines();
const RESULTS = drawResults(ROWS);
const FORMS = drawInstructions(ROWS);
const PLOTS = drawPlots();
drawCores();
drawSamples();
drawVerdicts();
drawRecords();
