/* The core as a block diagram: what was measured of each structure, and else what CPUID tells. */

const STRUCTURES = { rob: "reorder buffer", "scheduler.unified": "scheduler", "scheduler.math": "scheduler, math",
	"scheduler.load": "scheduler, loads", load_queue: "load queue", store_queue: "store queue", fill_buffers: "fill buffers" };
const BOX = { width: 560, height: 62, gap: 18 }; /* pixels: a row of boxes, and what lies between rows */

function svg(tag, attributes, ...children) {
	const e = document.createElementNS("http://www.w3.org/2000/svg", tag);

	for (const [key, value] of Object.entries(attributes))
		e.setAttribute(key, value);
	e.append(...children);
	return e;
}

/* A structure of a record `datasheet`: its size, or the bounds that it lies between. */
function structureBox(r) {
	const value = +r.value && r.low === r.high ? r.value : +r.low && +r.high ? r.low + " to " + r.high :
		+r.low ? r.low + " or more" : "-";

	return { name: STRUCTURES[r.what] || r.what, figure: value + (value === "-" ? "" : " " + r.unit),
		note: r.verdict + (r.told ? ", told " + r.told : ""), hint: r.why || "by " + r.by,
		look: r.verdict === "sharp" ? "measured" : r.verdict };
}

/* A cache: measured by `geometry` where that is so, else as CPUID tells. Its latency as `show` has it. */
function cacheBox(log, level, type) {
	const told = recordsOf(log, "cache").find(c => c.level === String(level) && type.includes(c.type));
	const found = type.includes("code") ? null :
		recordsOf(log, "geometry").find(g => g.bench === (level > 1 ? "geometry.l" + level : "geometry.l1d") && +g.fits);
	const cache = found || told;
	const latency = new RegExp("\\bL" + level + " (<?[0-9.]+)").exec(log.summary || "");

	if (!cache)
		return null;
	return { name: type.includes("code") ? "L1I" : level > 1 ? "L" + level : "L1D",
		figure: bytesText(+(cache.size || cache.fits)) + (+cache.ways ? ", " + cache.ways + " ways" : ""),
		note: (found ? found.verdict + (found.verdict === "differs" ? ": told " + bytesText(+found["told.size"]) : "") :
			"told by CPUID") + (latency && !type.includes("code") ? ", " + latency[1] + " clocks" : ""),
		hint: found ? "measured" : "CPUID", look: !found ? "told" : found.verdict === "differs" ? "rough" : "measured" };
}

/* Rows of boxes from the front end down to memory; rows without a box are left out. */
function sheetRows(log) {
	const found = recordsOf(log, "datasheet");
	const of = (...names) => names.flatMap(n => found.filter(r => r.what === n || r.what.startsWith(n + ".")).map(structureBox));
	const memory = /\bmemory (<?[0-9.]+)/.exec(log.summary || "");

	return [[cacheBox(log, 1, ["code"])], of("rob"), of("scheduler"), of("load_queue", "store_queue"),
		[cacheBox(log, 1, ["data", "unified"]), ...of("fill_buffers")], [cacheBox(log, 2, ["data", "unified"])],
		[cacheBox(log, 3, ["data", "unified"])],
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
