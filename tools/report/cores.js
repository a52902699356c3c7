/* Several CPUs: where they sit, the way of a line between every two, and litmus tests. */

const LEVEL_NAMES = ["package", "die", "module", "core"];

function recordsOf(log, kind) {
	return log.records.filter(([k]) => k === kind).map(([, fields]) => Object.fromEntries(fields));
}

/* CPUs that sit somewhere, in the order of their places. */
function placedCpus(log) {
	const keys = [...LEVEL_NAMES, "thread", "cpu"];
	const before = (a, b) => keys.map(k => a[k] - b[k]).find(d => d) || 0;

	return recordsOf(log, "cpu_entry").filter(c => c.core !== undefined).sort(before);
}

/* Boxes in boxes, one for each place at the levels that are shown. */
function topologyBox(cpus, level, shown) {
	if (level === LEVEL_NAMES.length)
		return cpus.map(c => element("span", { class: "thread" + (c.type === "0x20" ? " small" : ""),
			title: "CPU " + c.cpu + ", APIC id " + c.apic + (c.type ? ", core type " + c.type : "") },
			c.cpu));
	const name = LEVEL_NAMES[level], groups = new Map();
	for (const c of cpus)
		groups.set(c[name], [...(groups.get(c[name]) || []), c]);
	return [...groups].flatMap(([number, group]) => {
		const inner = topologyBox(group, level + 1, shown);
		return shown.has(name) ? [element("div", { class: "place " + name },
			element("small", {}, name + " " + number), ...inner)] : inner;
	});
}

function drawTopology(place, log) {
	const cpus = placedCpus(log);
	const lost = recordsOf(log, "cpu_entry").filter(c => c.core === undefined);

	if (!cpus.length)
		return;
	const count = (...keys) => new Set(cpus.map(c => keys.map(k => c[k]).join())).size;
	const shown = new Set(LEVEL_NAMES.filter(n => n === "core" || n === "package" || (count(n) > 1 &&
		count("package", n) < count("package", "core"))));
	place.append(element("h3", {}, "Where the CPUs sit"),
		element("div", { class: "topology" }, ...topologyBox(cpus, 0, shown)));
	if (lost.length)
		place.append(element("p", { class: "bad" }, "Not used: " +
			lost.map(c => "CPU " + c.cpu + " (" + c.state + ")").join(", ")));
}

/* From pale to dark by the logarithm: ways to a neighbour and across the board both show. */
function heat(v, low, high) {
	const part = high > low ? Math.log(v / low) / Math.log(high / low) : 0;

	return { part, colour: "hsl(" + (55 - 50 * part) + " 90% " + (92 - 50 * part) + "%)" };
}

/* A field of a heat map, with a hint for the pointer. */
function heatCell(v, low, high, hint, text) {
	const { part, colour } = heat(v, low, high);

	return element("td", { class: "way" + (part > 0.88 ? " hot" : ""), style: "background:" + colour, title: hint },
		text);
}

function drawMatrix(place, log) {
	const unit = log.way_unit;
	const ways = new Map(), seen = new Set();

	for (const p of recordsOf(log, "pair")) {
		ways.set(p.a + " " + p.b, p.way).set(p.b + " " + p.a, p.way);
		seen.add(p.a).add(p.b);
	}
	if (!ways.size)
		return;
	const placed = placedCpus(log).map(c => c.cpu).filter(c => seen.has(c));
	const cpus = [...placed, ...[...seen].filter(c => !placed.includes(c)).sort((a, b) => a - b)];
	const all = [...ways.values()].map(w => w[0]).filter(v => v > 0);
	const low = Math.min(...all), high = Math.max(...all);
	const cell = (a, b) => {
		const w = ways.get(a + " " + b);
		if (!w || w[0] <= 0)
			return element("td");
		return heatCell(w[0], low, high, "CPU " + a + " and CPU " + b + ": " + number(w[0]) + " " + unit +
			", half of the samples: " + number(w[1]) + " to " + number(w[2]) +
			", by line: " + number(w[3]) + " to " + number(w[4]),
			cpus.length <= 24 ? w[0].toFixed(w[0] < 100 ? 1 : 0) : "");
	};
	place.append(element("h3", {}, "From CPU to CPU: " + unit + " a way, " + number(low) + " to " + number(high)),
		element("table", { class: "heat" },
			element("tr", {}, element("th"), ...cpus.map(c => element("th", {}, c))),
			...cpus.map(a => element("tr", {}, element("th", {}, a), ...cpus.map(b => cell(a, b))))));
}

/* A row for each test or control, with all of its outcomes. */
function drawLitmus(place, log) {
	const rows = new Map();

	for (const r of recordsOf(log, "litmus")) {
		const name = r.bench + (r.control ? ", control" : "");
		rows.set(name, [...(rows.get(name) || []), r]);
	}
	if (!rows.size)
		return;
	const outcome = r => element("span", { class: r.forbidden === "1" ? (+r.count ? "bad" : "good") : "" },
		r.outcome + ": " + (r.forbidden === "1" && !+r.count ? "never" : r.count) +
		(r.forbidden === "1" && +r.count ? " FORBIDDEN " : " "));
	place.append(element("h3", {}, "Litmus tests: rounds with each outcome"),
		element("table", { class: "records litmus" }, ...[...rows].map(([name, list]) =>
			element("tr", {}, element("td", {}, name), element("td", {}, list[0].rounds + " rounds"),
				...list.map(r => element("td", {}, outcome(r)))))));
}

/* threads=: a row for each CPU beside what it does alone, and one for all of them. */
function drawThreads(place, log) {
	const all = [...recordsOf(log, "thread").map(r => ({ ...r, key: "tsc", unit: "ticks a copy" })),
		...recordsOf(log, "threads").map(r => ({ ...r, key: "ops", unit: "operations a tick" }))];
	const id = r => [r.bench, r.with, r.cpu, r.mode].join("\n");
	const alone = new Map(), cells = row => row.map(t => element("td", {}, t));

	const first = all.filter(r => r.group === "0");
	for (const r of first.filter(r => r.run === "alone"))
		alone.set(id(r), +r[r.key]);
	const rows = first.filter(r => r.run === "together").map(r => element("tr", {}, ...cells([
		r.bench + (r.with ? "+" + r.with : ""), r.cpu ? "CPU " + r.cpu : r.cpus + " CPUs, threads=" + r.mode,
		number(alone.get(id(r))), number(+r[r.key]), r.unit, r.speedup ? "speedup " + r.speedup : ""])));
	if (rows.length)
		place.append(element("h3", {}, "Several CPUs at once"), element("table", { class: "records threads" },
			element("tr", {}, ...cells(["", "", "alone", "together", "", ""])), ...rows));
}

function drawCores() {
	const place = document.getElementById("core-list");

	place.replaceChildren();
	shownLogs().forEach(([log, i]) => {
		const part = element("div", { class: "cores" });
		drawTopology(part, log);
		drawMatrix(part, log);
		drawThreads(part, log);
		drawLitmus(part, log);
		if (part.childNodes.length)
			place.append(element("h3", {}, (LABELS[i] ? LABELS[i] + ": " : "") + log.name), part);
	});
	hideSection("cores", !place.childNodes.length);
}
