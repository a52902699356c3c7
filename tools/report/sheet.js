/* The core as a block diagram: what was measured of each structure, and else what CPUID tells. */

const STRUCTURES = { rob: "reorder buffer", "scheduler.unified": "scheduler", "scheduler.math": "scheduler, math",
	"scheduler.load": "scheduler, loads", load_queue: "load queue", store_queue: "store queue", fill_buffers: "fill buffers",
	dtlb: "data TLB", stlb: "second TLB", itlb: "code TLB", "btb.l1_entries": "branch targets", ras_entries: "return stack",
	mispredict_penalty: "misprediction" };
const BOX = { width: 560, height: 62, gap: 18 }; /* pixels: a row of boxes, and what lies between rows */

function svg(tag, attributes, ...children) {
	const e = document.createElementNS("http://www.w3.org/2000/svg", tag);

	for (const [key, value] of Object.entries(attributes))
		e.setAttribute(key, value);
	e.append(...children);
	return e;
}

/* What a record `datasheet` found: its value, or the bounds that it lies between, or "-". */
function found(r) {
	return +r.value && r.low === r.high ? r.value : +r.low && +r.high ? r.low + " to " + r.high : +r.low ? r.low + " or more" : "-";
}

/* ", 4 ways" of a structure, where they were found, too. */
function waysText(log, what) {
	const r = recordsOf(log, "datasheet").find(d => d.what === what);

	return r && found(r) !== "-" ? ", " + found(r) + " ways" : "";
}

/* "data TLB, 2M" of dtlb.2M.entries. */
function structureName(what) {
	const tlb = /^([dis]tlb)\.(\w+)\.entries$/.exec(what);

	return tlb ? STRUCTURES[tlb[1]] + ", " + tlb[2] : STRUCTURES[what] || what;
}

/* A structure of a record `datasheet`: its size, and its ways if another record has them. */
function structureBox(log, r) {
	const ways = waysText(log, r.what.replace(/([.]\w+)?$/, ".ways"));

	return { name: structureName(r.what), figure: found(r) + (found(r) === "-" ? "" : " " + r.unit + ways),
		note: r.verdict + (r.told ? ", told " + r.told : ""), hint: r.why || "by " + r.by,
		look: r.verdict === "sharp" ? "measured" : r.verdict };
}

/* ", 8 banks of 4 bytes" of the first-level data cache, where they were found. */
function banksText(log) {
	const [banks, width] = ["l1d.banks", "l1d.bank_width"].map(what =>
		recordsOf(log, "datasheet").find(r => r.what === what && +r.value));

	return banks && width ? `, ${banks.value} banks of ${width.value} bytes` : "";
}

/* The size of a cache that `geometry` or the datasheet has measured, else null. */
function measuredCache(log, level, code) {
	const geometry = code ? null : recordsOf(log, "geometry").find(g =>
		g.bench === (level > 1 ? "geometry.l" + level : "geometry.l1d") && +g.fits);
	const name = code ? "l1i" : level > 1 ? "l" + level : "l1d";
	const sheet = recordsOf(log, "datasheet").find(r => r.what === name + ".size" && +r.value);
	const size = geometry && +(geometry.size || geometry.fits);

	return geometry ? { figure: bytesText(size) + (+geometry.ways ? ", " + geometry.ways + " ways" : ""),
		note: geometry.verdict + (geometry.verdict === "differs" ? ": told " + bytesText(+geometry["told.size"]) : ""),
		hint: "measured", look: geometry.verdict === "differs" ? "rough" : "measured" } :
		sheet ? { figure: bytesText(+sheet.value) + (sheet.high !== sheet.low && +sheet.high ?
			" to " + bytesText(+sheet.high) : "") + waysText(log, name + ".ways"),
			note: sheet.verdict + (sheet.told && sheet.told !== sheet.value ? ": told " + bytesText(+sheet.told) : ""),
			hint: "by " + sheet.by, look: sheet.verdict === "sharp" ? "measured" : sheet.verdict } : null;
}

/* A cache: measured where that is so, else as CPUID tells. Its latency as `show` has it. */
function cacheBox(log, level, type) {
	const code = type.includes("code");
	const told = recordsOf(log, "cache").find(c => c.level === String(level) && type.includes(c.type));
	const latency = new RegExp("\\bL" + level + " (<?[0-9.]+)").exec(log.summary || "");
	const box = measuredCache(log, level, code) || (told && { figure: bytesText(+told.size) +
		(+told.ways ? ", " + told.ways + " ways" : ""), note: "told by CPUID", hint: "CPUID", look: "told" });
	const banks = level === 1 && !code ? banksText(log) : "";

	return box && { ...box, name: code ? "L1I" : level > 1 ? "L" + level : "L1D",
		figure: box.figure + banks, note: box.note + (latency && !code ? ", " + latency[1] + " clocks" : "") };
}

/* Rows of boxes from the front end down to memory; rows without a box are left out. */
function sheetRows(log) {
	const all = recordsOf(log, "datasheet");
	const of = (...names) => names.flatMap(n => all.filter(r => r.what === n || (r.what.startsWith(n + ".") &&
		!/[.](ways|line|size|policy)$/.test(r.what))).map(r => structureBox(log, r)));
	const memory = /\bmemory (<?[0-9.]+)/.exec(log.summary || "");

	return [[cacheBox(log, 1, ["code"]), ...of("itlb")], of("btb", "ras_entries", "mispredict_penalty"), of("rob"),
		of("scheduler"), of("load_queue", "store_queue"), [cacheBox(log, 1, ["data", "unified"]), ...of("fill_buffers")],
		of("dtlb"), [cacheBox(log, 2, ["data", "unified"]), ...of("stlb")], [cacheBox(log, 3, ["data", "unified"])],
		[memory && { name: "memory", figure: memory[1] + " clocks", note: "load latency", hint: "as show has it", look: "measured" }]]
		.map(row => row.filter(b => b)).filter(row => row.length);
}

function drawBox(box, x, y, width) {
	const middle = x + width / 2;

	return svg("g", { class: "box " + box.look }, svg("title", {}, box.name + ": " + box.hint),
		svg("rect", { x, y, width, height: BOX.height, rx: 4 }),
		svg("text", { x: middle, y: y + 16, class: "name" }, box.name),
		svg("text", { x: middle, y: y + 36, class: "figure" }, box.figure),
		svg("text", { x: middle, y: y + 54, class: "note" }, box.note));
}

function drawSheet(rows, name) {
	const step = BOX.height + BOX.gap, height = rows.length * step - BOX.gap;
	const parts = rows.flatMap((row, i) => {
		const width = (BOX.width - 2 - (row.length - 1) * BOX.gap) / row.length, y = i * step;

		return row.flatMap((b, k) => {
			const x = 1 + k * (width + BOX.gap), way = "M" + (x + width / 2) + " " + (y - BOX.gap + 1) + "v" + BOX.gap;

			return [drawBox(b, x, y + 1, width), ...(i ? [svg("path", { class: "way", d: way })] : [])];
		});
	});

	return svg("svg", { class: "sheet", viewBox: "0 0 " + BOX.width + " " + (height + 2), role: "img",
		"aria-label": "core of " + name }, ...parts);
}

/* Of logs with `datasheet` records, beside each other. */
function drawSheets() {
	const place = document.getElementById("sheet-list");

	place.replaceChildren(...shownLogs().filter(([log]) => recordsOf(log, "datasheet").length).map(([log, i]) =>
		element("figure", {}, element("figcaption", {}, (LABELS[i] ? LABELS[i] + ": " : "") + log.name +
			(log.emulated ? ", EMULATED" : "")),
			drawSheet(sheetRows(log), log.name))));
	hideSection("sheet", !place.childNodes.length);
}
