/* Runs inside a report page behind its own script; tests/checks/test-report.sh reads the verdicts. */
"use strict";

const VERDICT = [], AT_FIRST = SHOWN.size;

function must(name, good, seen) {
	VERDICT.push((good ? "pass " : "FAIL ") + name + (good ? "" : ": " + seen));
}

/* Which benchmarks the results table shows now. */
function visible() {
	return [...document.querySelectorAll("#table .row .name:first-child")].map(c => c.textContent);
}

function type(text) {
	const field = document.getElementById("filter");

	field.value = text;
	field.dispatchEvent(new Event("input"));
}

function click(i) {
	document.querySelectorAll("#table .head div")[i].click();
}

/* Painted: not all pixels of the picture are equal. A copy is read: reading back makes Chromium warn. */
function painted(canvas) {
	const copy = new OffscreenCanvas(canvas.width, canvas.height);
	const context = copy.getContext("2d", { willReadFrequently: true });

	context.drawImage(canvas, 0, 0);
	const { data } = context.getImageData(0, 0, copy.width, copy.height);
	return new Uint32Array(data.buffer).some((v, i, all) => v !== all[0]);
}

function testTable() {
	const all = document.getElementById("count").textContent, first = visible()[0];

	must("rows", visible().length > 5 && all === ROWS.length + " of " + ROWS.length, all);
	type("alu.*latency");
	must("filter by pattern", visible().length === 5 && visible().every(b => /^alu\..*latency$/.test(b)),
		visible());
	type("alu. imul");
	must("filter by words", visible().join() === "alu.imul_latency", visible());
	type("no such benchmark");
	must("filter that finds nothing", visible().length === 0, visible());
	type("alu.");
	click(0);
	must("sorted by name", visible().join() === [...visible()].sort().join(), visible());
	click(0);
	must("sorted backwards", visible().join() === [...visible()].sort().reverse().join(), visible());
	type("imul ecx");
	must("filter by the body's code", visible().join() === "alu.imul_latency", visible());
	type("alu.");
	RESULTS.place.scrollLeft = 1e5;
	RESULTS.draw();
	const codes = [...document.querySelectorAll("#table .row .name:last-child")].map(c => c.textContent);
	must("code beside each result", codes.length === visible().length && codes.includes("imul eax, ecx"), codes);
	RESULTS.place.scrollLeft = 0;
	RESULTS.draw();
	/* A process on a busy machine may know no clocks; every result has a time. */
	const time = RESULTS.columns.findIndex(c => /^(clocks|ns|ticks)/.test(c.title) &&
		RESULTS.shown.some(r => c.value(r) !== null));
	click(time);
	const figures = RESULTS.shown.map(r => RESULTS.columns[time].value(r)).filter(v => v !== null);
	must("sorted by time", figures.length > 0 && figures.every((v, i) => !i || figures[i - 1] <= v), figures);
	testCsv();
	RESULTS.order = null;
	type("");
	must("back to all", visible()[0] === first && document.getElementById("count").textContent === all,
		visible()[0]);
}

/* CSV has the rows that are shown in their order, and nothing that a spreadsheet takes for a formula. */
function testCsv() {
	const lines = RESULTS.csv().trim().split("\r\n");

	must("CSV has a line for each row", lines.length === RESULTS.shown.length + 1 &&
		lines.slice(1).every((l, i) => l.startsWith(RESULTS.shown[i].bench + ",")), lines);
	must("CSV has numbers", RESULTS.shown.every((r, i) => r.by[0] === undefined || !r.by[0].clocks ||
		lines[i + 1].split(",").includes(String(r.by[0].clocks[0]))), lines);
	must("CSV has no formulas", csvField("=1+1") === "'=1+1" && csvField(-1) === "-1" &&
		csvField('a,"b"') === '"a,""b"""', csvField("=1+1"));
}

/* An address leads to its row, whatever the filter hides; the row is in sight and marked. */
function testLinks() {
	const last = RESULTS.rows[RESULTS.rows.length - 1].bench;

	type("no such benchmark");
	location.hash = "#row=" + encodeURIComponent(last);
	follow();
	const row = document.querySelector("#table .row.target");
	must("an address leads to its row", row && row.firstChild.textContent === last &&
		row.offsetTop >= RESULTS.place.scrollTop, last);
	must("a name is its row's address", row && row.querySelector("a").hash === location.hash, last);
	location.hash = "";
	type("");
}

/* A small screen has the names and a figure in sight; the first column stays when the table moves. */
function testSmall() {
	const first = document.querySelector("#table .row div"), head = document.querySelector("#table .head div");

	RESULTS.place.style.width = "380px";
	RESULTS.place.scrollLeft = 200;
	const left = e => e.getBoundingClientRect().left - RESULTS.place.getBoundingClientRect().left;
	must("names stay in sight", Math.abs(left(first) - 1) < 2 && Math.abs(left(head) - 1) < 2, left(first));
	RESULTS.place.style.width = "";
	RESULTS.place.scrollLeft = 0;
	must("headings are over their columns", [...document.querySelectorAll("#table .row:first-child div")].every((c, i) =>
		Math.abs(left(c) - left(document.querySelectorAll("#table .head div")[i])) < 1), left(head));
}

/* Nothing is cut but names, in headings and in rows, and each column has figures. */
function testHeadings() {
	const cut = cells => [...cells].filter(c => c.scrollWidth > c.clientWidth || c.scrollHeight > c.clientHeight)
		.map(c => c.textContent);
	const short = c => matchMedia("(max-width: 600px)").matches || !c.matches(":first-child");
	const heads = [...document.querySelectorAll(".head div")];

	must("no heading is cut", heads.length > 3 && cut(heads).length === 0, cut(heads));
	must("no figure is cut", cut([...document.querySelectorAll(".row div")].filter(short)).length === 0,
		cut(document.querySelectorAll(".row div")));
	click(1);
	must("the arrow is in its heading", cut(heads).length === 0, cut(heads));
	RESULTS.order = null;
	const empty = g => g ? g.columns.filter(c => !g.rows.some(r => c.value(r) !== null)) : [];
	must("no column is empty", [RESULTS, FORMS].every(g => !empty(g).length), empty(RESULTS).map(c => c.title));
}

/* Marks stand beside whatever figures the reader chose; what is made of a doubtful time is in doubt. */
function testMarks(group) {
	const marked = DATA.logs.map((log, i) => i).filter(i => RESULTS.rows.some(r => r.by[i] && r.by[i].marks));
	const made = RESULTS.columns.filter(c => /^(clocks|ns|ticks|GB\/s|bytes\/clock|clk\/insn)( [A-Z]+)?$/.test(c.title));

	must("marks beside " + group, marked.every(i => RESULTS.columns.some(c => c.title === label("marks", i))),
		RESULTS.columns.map(c => c.title));
	for (const c of made) {
		const i = Math.max(0, LABELS.indexOf(c.title.split(" ")[1] || ""));
		const plain = RESULTS.rows.filter(r => c.value(r) !== null && /[ihm]/.test(r.by[i].marks) && !c.mark(r));
		must("doubt of " + c.title, !plain.length, plain.map(r => r.bench));
	}
}

/* A figure of all logs stands in columns side by side; the reader chooses which figures. */
function testColumns() {
	const titles = () => RESULTS.columns.map(c => c.title), choice = document.getElementById("columns");
	const all = titles();
	const choose = group => {
		choice.value = group;
		choice.dispatchEvent(new Event("change"));
	};
	const at = ["clocks", "ns"].map(key => DATA.logs.map((log, i) => all.indexOf(label(key, i))).filter(k => k >= 0));

	must("logs side by side", at.every(list => list.every((k, n) => !n || k === list[n - 1] + 1)), all);
	choose("times");
	must("columns of times", titles().every(t => !/GB|Retired|INST/.test(t)) && titles().some(t => /ns|ticks/.test(t)),
		titles());
	choose("events");
	must("columns of events", titles().every(t => !/^(ns|clocks|GB)/.test(t)) && titles()[0] === "benchmark", titles());
	for (const group of ["times", "rates", "events"]) {
		choose(group);
		testMarks(group);
	}
	choose("");
	must("all columns again", titles().join() === all.join(), titles());
}

/* A guest has a column that names its hypervisor; a machine of its own has none. */
function testGuest() {
	const log = DATA.logs[[...SHOWN][0]], guest = log.guest;
	const columns = () => RESULTS.columns.filter(c => /^guest\b/.test(c.title));

	log.guest = null;
	render();
	const none = columns().length;
	log.guest = "KVMKVMKVM";
	render();
	must("a column for a guest", columns().length === (log.results.length ? none + 1 : none),
		columns().map(c => c.title));
	must("it names the hypervisor", columns().every(c => RESULTS.rows.every(r => c.value(r) === null ||
		DATA.logs.some(l => l.guest === c.value(r)))) && (!log.results.length || columns().some(c =>
		RESULTS.rows.some(r => c.value(r) === "KVMKVMKVM"))), columns().length);
	log.guest = guest;
	render();
}

/* A colour means what stands below the table; equal figures have none. */
function testColours() {
	const plain = getComputedStyle(document.body).color, names = Object.keys(COLOURS);
	const cells = [...document.querySelectorAll(".row div")].filter(c => getComputedStyle(c).color !== plain);
	const legend = document.getElementById("marks"), ratio = RESULTS.columns.filter(c => c.title.includes(" / "));

	must("each colour has a legend", cells.every(c => names.some(n => c.classList.contains(n) &&
		legend.querySelector("." + n))), cells.map(c => c.textContent));
	const marked = RESULTS.rows.flatMap(r => r.by.filter(of => of));
	must("a colour for disturbed and nominal times, and none for the scoreboard's", marked.every(of =>
		markOf([1, 1, 1, false, 1, 1, false], of) === (/[ihm]/.test(of.marks) ? "doubt" : "")), marked.length);
	must("a line for each mark", [...new Set(marked.flatMap(of => [...of.marks]))].every(m =>
		[...legend.childNodes].some(l => l.textContent[0] === m)) &&
		[...legend.childNodes].every(l => l.querySelector("span") ||
			marked.some(of => of.marks.includes(l.textContent[0]))), legend.textContent);
	must("a ratio for two logs", ratio.length === (DATA.logs.length === 2 && marked.length ? ratio.length : 0), ratio);
	for (const c of ratio) {
		const row = RESULTS.rows.find(r => c.mark(r)), [log] = DATA.logs, guest = log.guest;
		if (row) {
			Object.assign(row.by[0], { exits: true });
			log.guest = "KVMKVMKVM";
			must("the hypervisor's time has no colour", c.mark(row) === "", c.title);
			log.guest = DATA.logs[1].guest;
			must("two alike have one", c.mark(row) !== "", c.title);
			Object.assign(row.by[0], { exits: false });
			log.guest = guest;
		}
		const key = c.title.split(" ")[0];
		const equal = RESULTS.rows.filter(r => r.by[0] && r.by[1] && r.by[0][key] && r.by[1][key] &&
			r.by[0][key][0] === r.by[1][key][0]);
		must("equal " + key + " have no colour", equal.every(r => c.mark(r) === ""), equal.map(r => r.bench));
		must("slower and faster " + key, RESULTS.rows.every(r => !c.mark(r) ||
			(c.value(r) > 1 ? "slower" : "faster") === c.mark(r) && Math.abs(c.value(r) - 1) > 0.019 &&
			(r.by[0][key][1] > r.by[1][key][2] || r.by[1][key][1] > r.by[0][key][2])), c.title);
	}
}

/* Each way of the navigation leads to something, and something stands below each heading. */
function emptyPlaces() {
	const links = [...document.querySelectorAll("nav a")];
	const sections = links.map(a => document.querySelector(a.hash));
	const own = e => [...e.children].filter(c => !c.matches("h2, .note, .above, :empty")).map(c => c.textContent).join("");
	const bare = [...document.querySelectorAll("section:not([hidden]) h3")].filter(h =>
		h.offsetParent && (!h.nextElementSibling || /^H[23]$/.test(h.nextElementSibling.tagName)));

	return [...links.filter((a, k) => a.hidden !== sections[k].hidden).map(a => a.hash),
		...sections.filter(e => !e.hidden && !own(e)).map(e => e.id), ...bare.map(h => h.textContent)];
}

function testEmpty() {
	must("no empty places", !emptyPlaces().length, emptyPlaces());
	DATA.logs.forEach((log, i) => {
		SHOWN.clear();
		SHOWN.add(i);
		render();
		must("no empty places with log " + i, !emptyPlaces().length, emptyPlaces());
		must("results of log " + i, document.getElementById("results").hidden === !log.results.length, log.results.length);
	});
	document.getElementById("all").click();
}

/* Texts at the lines of cache sizes: inside of the plot, none on another; equal sizes are one line. */
function testSizes() {
	const area = { x: 0, w: 100 }, taken = [[], []];
	const right = placeText(area, 95, 30, taken), second = placeText(area, 90, 30, taken);
	const texts = cacheSizes().map(s => s.text);

	must("a text at the right edge", right.left === 62 && right.row === 0, right.left);
	must("a text that would cover another", second.row === 1, second.row);
	must("a text without room", placeText(area, 92, 30, taken).row === -1, taken.length);
	must("equal sizes are one line", new Set(texts).size === texts.length, texts);
	const others = DATA.logs.flatMap(log => log.records).filter(([kind, fields]) => kind === "geometry" &&
		fields.some(([k, v]) => k === "verdict" && (v === "differs" || v === "untold")));
	must("a cache has a level and a size", texts.every(t => /^L[1-4] \d+[KM]( measured)?$/.test(t)), texts);
	must("a cache is as measured where the CPU tells otherwise",
		texts.filter(t => t.endsWith(" measured")).length === others.length, texts);
	must("a screen of its own width", /width=device-width/.test(document.querySelector("meta[name=viewport]")?.content),
		document.head.innerHTML.slice(0, 300));
}

/* Many logs: cards that fold, a name and a kind of line for each, and all of a sweep in one plot. */
function testMany() {
	const many = DATA.logs.length > MANY, curve = (name, ...stops) =>
		({ name, plot: "branch", points: new Map(stops.map(n => [n, [1]])) });
	const lines = [...Array(24).keys()].map(i => HUES[i % HUES.length] + patternOf(i));

	must("a few logs at first", AT_FIRST === Math.min(MANY, DATA.logs.length), AT_FIRST);
	must("cards of many logs fold", document.querySelectorAll(".machine details").length ===
		(many ? DATA.logs.length : 0), DATA.logs.length);
	must("a letter for each log", letters(0) + letters(25) + letters(26) + letters(53) === "AZAABB" &&
		new Set(LABELS).size === LABELS.length, LABELS);
	must("no two lines are alike", new Set(lines).size === 24, lines);
	must("a sweep is in one plot", plotsOf([curve("a", 1, 2), curve("b", 3, 4), curve("a", 1, 2, 8)]).size === 2,
		[...plotsOf([curve("a", 1, 2), curve("a", 1, 2, 8)]).keys()]);
	must("records are folded, but those of one log", [...document.querySelectorAll("#record-list details")]
		.every(d => d.open === (SHOWN.size === 1)), SHOWN.size);
	must("nothing is no number", !/NaN|Infinity/.test(document.body.innerText + document.getElementById("machines").textContent),
		(/.*(NaN|Infinity).*/.exec(document.body.innerText + document.getElementById("machines").textContent) || [])[0]);
}

/* A log that is not chosen is nowhere; the last one stays. */
function testChooser() {
	document.getElementById("all").click();
	const boxes = [...document.querySelectorAll(".machine input")], columns = RESULTS.columns.length;

	must("a box for each log", boxes.length === (DATA.logs.length > 1 ? DATA.logs.length : 0), boxes.length);
	must("a title of its own", document.title.startsWith(DATA.logs[0].name), document.title);
	must("cards name the CPU", DATA.logs.every((log, i) => !recordsOf(log, "cpu")[0].family ||
		/family \d+, model \d+, stepping \d+.* GHz/s.test(document.querySelectorAll(".machine")[i].textContent)),
		document.querySelector(".machine").textContent);
	must("cards have the date", DATA.logs.every((log, i) => {
		const date = recordsOf(log, "date")[0] || {}, text = document.querySelectorAll(".machine")[i].textContent;
		return !date.rtc || text.includes(date.rtc) === !date.implausible;
	}), document.querySelector(".machine").textContent);
	must("cards have the summary of show", DATA.logs.every((log, i) => log.summary.trim().split("\n").every(l =>
		document.querySelectorAll(".machine")[i].textContent.includes(l.trim()))), DATA.logs.map(l => l.summary));
	if (!boxes.length)
		return;
	boxes[1].click();
	must("a log that is not chosen has no columns", (RESULTS.columns.length < columns || !DATA.logs[1].results.length) &&
		RESULTS.rows.every(r => !r.by[1]), RESULTS.columns.length);
	document.querySelectorAll(".machine input").forEach(b => b.click());
	must("one log stays", SHOWN.size >= 1, SHOWN.size);
	document.getElementById("all").click();
	must("all logs again", RESULTS.columns.length === columns && SHOWN.size === DATA.logs.length,
		RESULTS.columns.length);
}

/* A curve has one unit, which all of its points have; in it no result of the sweep is missing but bounds. */
function testOneUnit() {
	const point = (n, clocks) => ({ bench: "branch.x." + n, clocks: clocks && [n, n, n, false, n, n], ns: [1, 1, 1, false, 1, 1] });

	must("one unit for a curve", unitOf([point(1, true), point(2, true)])[0] === "clocks" &&
		unitOf([point(1, true), point(2, false)])[0] === "ns" && unitOf([{ tsc: [1] }])[0] === "tsc", unitOf([point(2)]));
	for (const c of curves().filter(c => !c.plot.startsWith("bandwidth"))) {
		const all = DATA.logs[c.log].results.filter(r => (sweepOf(r) || [])[1] === c.name);
		const key = { clocks: "clocks", ns: "ns", "TSC ticks": "tsc" }[c.rate];
		must("all of " + c.name + " in " + c.rate, all.every(r => r[key] && (r[key][3] ||
			[...c.points.values()].includes(r[key]))), all.length);
	}
}

/* The reader may have all axes in powers. */
function testScale() {
	const scale = document.getElementById("scale");

	scale.value = "powers";
	scale.dispatchEvent(new Event("change"));
	must("axes in powers", PLOTS.every(p => p.getOptionForAxis("logscale", "y") && p.yAxisRange()[0] > 0), PLOTS.length);
	scale.value = "zero";
	scale.dispatchEvent(new Event("change"));
}

/* Linear axes begin at 0; the other unit has the other figures. */
function testUnits() {
	testScale();
	testOneUnit();
	const linear = PLOTS.filter(p => !p.getOptionForAxis("logscale", "y"));
	const unit = document.getElementById("unit"), titles = () =>
		[...document.querySelectorAll("#charts h3")].map(h => h.textContent).join("\n");
	const choose = value => {
		unit.value = value;
		unit.dispatchEvent(new Event("change"));
	};

	must("linear axes begin at 0", linear.every(p => p.yAxisRange()[0] === 0), linear.map(p => p.yAxisRange()));
	const before = titles();
	choose("time");
	const known = r => r.ns || r.gb_per_s;
	must("units of time", !DATA.logs.some(log => log.results.some(known)) || !PLOTS.length ||
		/: (ns|GB\/s)/.test(titles()) || titles() === before && /TSC/.test(before), titles());
	choose("clock");
	must("units of clocks again", titles() === before, titles());
	must("bandwidth stands over footprints", PLOTS.every((p, i) =>
		!document.querySelectorAll("#charts .chart h3")[i].textContent.startsWith("bandwidth") ||
		p.xAxisRange()[0] > 1000), PLOTS.map(p => p.xAxisRange()));
}

/* Every point of a bandwidth is a figure of that unit; every axis says what it counts. */
function testAxes() {
	const charts = [...document.querySelectorAll("#charts .chart")].filter(c => c.querySelector(".plot"));
	const known = key => new Set(DATA.logs.flatMap(log => log.results.map(r => r[key] && r[key][0])));
	const units = { "GB/s": known("gb_per_s"), "bytes a clock": known("bytes_per_clock") };
	const title = (c, axis) => (c.querySelector(".dygraph-" + axis) || { textContent: "" }).textContent;

	must("a plot is called like its curves", charts.every((c, i) => {
		const name = c.querySelector("h3").textContent.split(": ")[0];
		return name.startsWith("bandwidth.") || [...c.querySelectorAll(".curve")].every(k =>
			name.split(", ").includes(k.textContent.replace(/ [A-Z]+$/, "")));
	}), charts.map(c => c.querySelector("h3").textContent));
	must("axes have titles", charts.every(c => title(c, "xlabel") && title(c, "ylabel")), charts.length);
	must("a logarithmic axis says so, no other does", charts.every((c, i) => ["x", "y"].every(axis =>
		title(c, axis + "label").includes("log scale") === Boolean(PLOTS[i].getOptionForAxis("logscale", axis)))),
		charts.map(c => title(c, "xlabel") + "; " + title(c, "ylabel")));
	charts.forEach((c, i) => {
		const [name, unit] = c.querySelector("h3").textContent.split(": ");
		if (!name.startsWith("bandwidth"))
			return;
		must(name + " in " + unit, title(c, "ylabel") === unit && title(c, "xlabel").includes("bytes") &&
			PLOTS[i].file_.every(row => row.slice(1).every(v => v === null || units[unit].has(v))), PLOTS[i].file_);
	});
	const band = unit => charts.filter(c => c.textContent.startsWith("bandwidth") && c.textContent.includes(unit));
	must("bandwidth in GB/s, where the log knows it", band("GB/s").length || !band("bytes a clock").length ||
		units["GB/s"].size < 2, charts.length);
}

const light = c => +/ (\d+(\.\d+)?)%\)$/.exec(c.getAttribute("style"))[1];

/*
 * Is a field lighter than all fields with a higher text? Fields with the same text differ by no more
 * than the rounding of the text makes, on the logarithmic scale of the colours.
 */
function isLighterBelow(fields) {
	const all = [...fields].sort((a, b) => a.textContent - b.textContent || light(b) - light(a));
	const low = +all[0]?.textContent, high = +all[all.length - 1]?.textContent;
	const scale = high > low ? (light(all[0]) - light(all[all.length - 1])) / Math.log(high / low) : 50;
	const rounding = t => t < 0.01 ? 50 : 0.1 + 1.1 * scale * Math.log((t + 0.005) / (t - 0.005));

	return all.every((c, i) => {
		const before = i ? all[i - 1] : c, t = +c.textContent;
		return +before.textContent < t ? light(before) > light(c) : light(before) - light(c) <= rounding(t);
	});
}

/* A field for each step of each sweep of branches, the darker the slower. */
function testBranchMap() {
	for (const unit of ["clocks", "ns", "TSC ticks"]) {
		const maps = [...document.querySelectorAll("table.branches")].filter(m =>
			m.closest(".chart").querySelector("h3").textContent.includes(": " + unit + " a branch"));
		const all = maps.flatMap(m => [...m.querySelectorAll("td.way")]);
		must("branches: equal figures in " + unit + " have equal colours on all maps", isLighterBelow(all),
			all.map(c => c.textContent + " " + light(c)));
	}
	for (const map of document.querySelectorAll("table.branches")) {
		map.parentNode.style.width = "340px";
		map.parentNode.scrollLeft = 100;
		const head = map.querySelector("tr:last-child th"), box = head.getBoundingClientRect();
		must("branches: names of rows stay in sight", box.width >= 120 && box.height < 50 &&
			box.left - map.parentNode.getBoundingClientRect().left < 2, box.width + " " + box.left);
		map.parentNode.style.width = "";
		const cells = [...map.querySelectorAll("td.way")];

		must("branches: the colours have a legend", map.closest(".chart").querySelectorAll(".scale .step").length
			=== 5 && /a branch/.test(map.closest(".chart").querySelector(".scale").textContent), map);
		must("branches: the slower the darker", cells.length > 4 && isLighterBelow(cells),
			cells.map(c => c.textContent + " " + light(c)));
	}
}

/* A bound is rounded up, by less than a step of its last place. */
function isBound(text, v) {
	const off = Number(text.slice(1)) - v;

	return text[0] === "<" && off > -1e-6 && off < (v < 1000 ? 0.01 : 1);
}

/* What stands in the table is what cpl0-log worked out: the page divides nothing. */
function testFigures() {
	const keys = { clocks: "clocks", ns: "ns", "bytes/clock": "bytes_per_clock", "GB/s": "gb_per_s" };
	const wrong = [];

	DATA.logs.forEach((log, i) => Object.entries(keys).forEach(([title, key]) => {
		const column = RESULTS.columns.find(c => c.title === label(title, i));
		if (!column)
			return;
		for (const row of RESULTS.rows.filter(r => r.by[i])) {
			const f = row.by[i][key], text = column.text ? column.text(row) : number(column.value(row));
			if (f && f[3] ? !isBound(text, f[2]) : text !== (f ? number(f[0]) : ""))
				wrong.push(row.bench + " " + title + " " + text);
		}
	}));
	must("figures of the table", wrong.length === 0, wrong);
	must("halves are rounded up, as everywhere", number(1.005) === "1.01" && number(0.125) === "0.13", number(1.005));
}

/* An event has the name that it was asked for beside its own, in the heading of its column. */
function testAliases() {
	DATA.logs.forEach((log, i) => {
		const named = eventsOf(log).filter(name => Object.hasOwn(log.titles, name));
		must("events as they were asked for", named.every(name => log.titles[name].endsWith(" (" + name + ")") &&
			RESULTS.columns.some(c => c.title === label(log.titles[name], i))), named);
	});
}

/* What ports= found out of a form stands in the form's row. */
function testPorts() {
	const none = ["ports", [["form", "NOP"], ["ports", "0"]]], log = { run: 1 };
	must("an instruction without ports has a bar of no width", portsRow(Object.fromEntries(none[1]), [none])
		.querySelector(".ports").style.width === "0%", "no width");
	must("ports of another run say so", portsText({ ports: "1*p06", run: 2 }, log) === "1*p06 (run 2)" &&
		portsText({ ports: "1*p06", run: 1 }, log) === "1*p06" && portsText(undefined, log) === "", "run");
	DATA.logs.forEach((log, i) => portsOf(log).forEach((record, form) => {
		const row = FORMS && FORMS.rows.find(r => r.form === form);
		const cell = title => FORMS.columns.find(c => c.title === label(title, i)).value(row);
		must("ports of " + form, row && record.ports && cell("ports") === record.ports &&
			cell("uops") === (record.uops ? +record.uops : null), row && cell("ports"));
	}));
}

/* Each form has its ISA set, and a search at uops.info for its mnemonic. */
function testForms() {
	const column = title => FORMS.columns.find(c => c.title === title);
	for (const row of FORMS ? FORMS.rows : []) {
		const url = column("uops.info").link(row), name = /search=([a-z0-9]+)&/.exec(url);

		must("ISA set of " + row.form, row.isa && column("ISA set").value(row) === row.isa, row.isa);
		must("uops.info " + row.form, url.startsWith("https://uops.info/table.html?") && name &&
			row.form.toLowerCase().includes(name[1]), url);
	}
	for (const [form, name] of [["LOCK ADD [m8], r8", "add"], ["12x 0x66 NOP", "nop"], ["FSIN80 (0.0)", "fsin"],
		["2x66 LNOPA [SIB+disp32], ax", "nop"], ["PUSH r32 + POP r32", "push"], ["VADDPS zmm{k}, zmm, zmm", "vaddps"]])
		must("search for " + form, uopsInfo(form).includes("?search=" + name + "&"), uopsInfo(form));
}

/* 6,000 results: how long does the reader wait for a letter in the filter? */
function testSpeed() {
	const rows = RESULTS.rows, many = [];

	while (many.length < 6000)
		many.push(...rows);
	RESULTS.rows = many.slice(0, 6000);
	const started = performance.now();
	for (const text of ["a", "al", "alu", "alu.*", ""])
		type(text);
	const ms = (performance.now() - started) / 5;
	must("6000 rows: " + ms.toFixed(1) + " ms a letter", ms > 0 && ms < 500, ms);
	must("few cells in a row", document.querySelector("#table .row").childNodes.length *
		60 < RESULTS.place.clientWidth + 2 * BESIDE + 600, document.querySelector("#table .row").childNodes.length);
	RESULTS.place.scrollLeft = 1e5;
	RESULTS.draw();
	const last = document.querySelector("#table .row").lastChild, head = document.querySelector("#table .head").lastChild;
	must("the last column is drawn when it is in sight", Math.abs(last.getBoundingClientRect().left -
		head.getBoundingClientRect().left) < 1, last.textContent);
	RESULTS.place.scrollLeft = 0;
	RESULTS.draw();
	must("few rows in the document", visible().length < 100, visible().length);
	RESULTS.rows = rows;
	type("");
}

/* Each plot has curves on one of its canvases, and a legend that hides them and brings them back. */
function testPlots() {
	const places = [...document.querySelectorAll("#charts .plot")];
	const good = places.map(p => [...p.querySelectorAll("canvas")].some(painted));

	must("plots", places.length >= 1 && places.length === PLOTS.length, places.length);
	must("plots are painted", good.every(v => v), good);
	must("a name for each curve", PLOTS.every((p, i) => p.numColumns() - 1 ===
		places[i].parentNode.querySelectorAll(".legend .curve").length), PLOTS.map(p => p.numColumns()));
	const looks = places.map(p => [...p.parentNode.querySelectorAll(".legend .curve")].map(c => c.getAttribute("style")));
	must("no two curves of a plot look alike", looks.every(l => l.length > 24 || new Set(l).size === l.length), looks);
	must("powers of 1024", bytesText(1 << 30) + bytesText(300 << 20) + bytesText(48 << 10) === "1G300M48K", bytesText(1 << 30));
	const most = PLOTS.reduce((best, p, i) => p.numColumns() > PLOTS[best].numColumns() ? i : best, 0);
	testLegend(PLOTS[most], places[most].parentNode);
	const ends = PLOTS.map(p => [p.xAxisRange()[0], p.xAxisRange()[1]].map(v => pixelOf(p, p.getArea(), v)));
	must("the x axis is as wide as the plot", ends.every(([low, high], i) =>
		Math.abs(high - low - PLOTS[i].getArea().w) < 1), ends);
	const middles = PLOTS.filter(p => p.getOptionForAxis("logscale", "x")).map(p =>
		pixelOf(p, p.getArea(), Math.sqrt(p.xAxisRange()[0] * p.xAxisRange()[1])) -
			p.getArea().x - p.getArea().w / 2);
	must("cache sizes stand on the axis in powers", middles.every(d => Math.abs(d) < 1), middles);
	must("x axes have ticks", places.every(p =>
		[...p.querySelectorAll(".dygraph-axis-label-x")].filter(l => l.textContent).length > 1), places.length);
}

function testLegend(plot, chart) {
	const shown = () => plot.visibility().join(), before = shown();

	/* The last curve stays: an empty plot has no range. */
	const many = plot.visibility().length > 1;

	chart.querySelector(".legend .curve").click();
	must("a click hides a curve, but not the last one", plot.visibility()[0] === !many && many ===
		chart.querySelector(".legend .curve").classList.contains("hidden"), shown());
	if (many)
		chart.querySelector(".legend .curve").click();
	must("a click shows it again", shown() === before, shown());
	plot.setSelection(0);
	must("the value under the pointer", /\d/.test(chart.querySelector(".legend span").textContent),
		chart.querySelector(".legend").textContent);
	plot.clearSelection();
}

/* A box for each structure that was measured, with its figure, and no box without a record. */
function testSheet() {
	const sheets = shownLogs().map(([log]) => log).filter(log => recordsOf(log, "datasheet").length);
	const figures = [...document.querySelectorAll("svg.sheet")];

	must("a diagram for each log with a datasheet", figures.length === sheets.length, figures.length);
	sheets.forEach((log, i) => {
		const boxes = [...figures[i].querySelectorAll(".box")].map(b => [...b.querySelectorAll("text")].map(t => t.textContent));
		const sharp = recordsOf(log, "datasheet").filter(r => r.verdict === "sharp");

		must("each sharp figure is in a box", sharp.filter(r => !/[.](ways|line|size|policy|banks|bank_width|write_hit|write_miss)$/.test(r.what)).every(r =>
			boxes.some(b => b[0] === structureName(r.what) && b[1].startsWith(r.value + " " + r.unit) &&
			b[2].startsWith("sharp"))), boxes);
		must("ways stand behind entries", sharp.filter(r => /^([dis]tlb|btb)[.].*ways$/.test(r.what)).every(r =>
			boxes.some(b => b[1].endsWith(" entries, " + r.value + " ways"))), boxes);
		must("the code cache is the measured one", sharp.filter(r => r.what === "l1i.size").every(r =>
			boxes.some(b => b[0] === "L1I" && b[1].startsWith(bytesText(+r.value) + ", ") && b[2] === "sharp")), boxes);
		must("caches are in boxes", recordsOf(log, "cache").filter(c => +c.level <= 3).every(c =>
			boxes.some(b => b[0] === (c.type === "code" ? "L1I" : +c.level > 1 ? "L" + c.level : "L1D"))), boxes);
		must("no box is bare", boxes.every(b => b.length === 3 && b.every(t => t && !/NaN|undefined/.test(t))), boxes);
		must("boxes lie in the diagram", [...figures[i].querySelectorAll("rect")].every(r =>
			+r.getAttribute("x") >= 0 && +r.getAttribute("x") + +r.getAttribute("width") <= BOX.width), boxes.length);
	});
	must("no diagram, no section", document.getElementById("sheet").hidden === !sheets.length, sheets.length);
}

/* Pairs of CPUs as a square of which the darkest field is the slowest way, CPUs in boxes, litmus tests. */
function testCores() {
	const of = kind => DATA.logs.map(log => recordsOf(log, kind));
	const pairs = of("pair").flat(), placed = of("cpu_entry").flat().filter(c => c.core !== undefined);
	const cells = [...document.querySelectorAll("#cores table.heat td.way")];
	const way = c => +/: ([0-9.]+) /.exec(c.title)[1];

	must("a field for each pair and way", cells.length === 2 * pairs.length, cells.length);
	must("the slower the darker", [...cells].sort((a, b) => way(a) - way(b))
		.every((c, i, all) => !i || light(all[i - 1]) >= light(c)), cells.map(light));
	must("a box for each CPU", document.querySelectorAll(".topology .thread").length === placed.length,
		placed.length);
	must("a box for each core", document.querySelectorAll(".place.core").length ===
		new Set(placed.map(c => c.package + " " + c.core)).size, placed.length);
	must("litmus tests", document.querySelectorAll("table.litmus td:nth-child(n+3)").length ===
		of("litmus").flat().length, of("litmus"));
	const together = [...of("thread").flat(), ...of("threads").flat()]
		.filter(r => r.run === "together" && r.group === "0");
	must("several CPUs at once", document.querySelectorAll("table.threads tr:nth-child(n+2)").length ===
		together.length && !/NaN|undefined/.test(document.querySelector("table.threads")?.textContent || ""), together.length);
	must("forbidden outcomes stand out", document.querySelectorAll("table.litmus .bad").length ===
		of("litmus").flat().filter(r => r.forbidden === "1" && r.count !== "0").length, of("litmus"));
	must("no empty section", document.getElementById("cores").hidden ===
		!(pairs.length + placed.length + of("litmus").flat().length), pairs.length);
}

/* The bars of an event clock by clock grow with what has happened, up to all of the table. */
function testTrace(records) {
	const bars = [...document.querySelectorAll("#sample-list .bar.trace")];
	const top = f => Math.max(...records.filter(g => g.bench === f.bench && g.event === f.event)
		.map(g => Number(g.mean || 0)));

	must("a bar for each clock", bars.length === records.length && bars.length, bars.length);
	must("bars as long as the events", bars.every((b, i) =>
		Math.abs(parseFloat(b.style.width) - 100 * Number(records[i].mean || 0) / top(records[i])) < 0.001), bars.length);
}

/* A branch says where it goes; ports have as many boxes as terms, and the wider the more uops. */
function testBranches() {
	const of = kind => DATA.logs.flatMap(log => recordsOf(log, kind));
	const branches = of("branch"), ports = of("ports");
	const rows = [...document.querySelectorAll("#sample-list tr")];
	const terms = ports.flatMap(f => f.ports.split("+").filter(t => t !== "0"));
	const boxes = [...document.querySelectorAll("#sample-list .port")];

	must("a row for each branch", branches.filter(f => f.from).every(f => rows.some(r =>
		r.textContent.includes(f.from + " to " + f.to + f.missed + " missed"))), branches.length);
	must("a box for each set of ports", boxes.length === terms.length &&
		boxes.every((b, i) => terms[i].endsWith("*" + b.textContent.replace(/^\d+ /, "")) &&
			b.style.flexGrow === terms[i].split("*")[0]), boxes.length);
	const wide = boxes.map((b, i) => b.offsetWidth / terms[i].split("*")[0]);
	must("a uop is as wide in each row", wide.every(w => Math.abs(w - wide[0]) < 1.1), wide);
	if (ports.length)
		must("the page has both", branches.length && boxes.length > 1, branches.length);
}

/* A bar for each record, as long as its share; no section without samples. */
function testSamples() {
	const records = DATA.logs.flatMap(l => l.records.filter(([k]) => k in SAMPLED));
	const rows = [...document.querySelectorAll("#sample-list tr")];
	const precise = rows.find(r => /^pebs\+0mov eax, \[eax\]100\.0 %/.test(r.textContent));

	must("a row for each sampled place", rows.length === records.length, rows.length);
	must("the section is there if it has rows",
		document.getElementById("samples").hidden === !rows.length, rows.length);
	if (!rows.length)
		return;
	testBranches();
	const traces = records.filter(([k]) => k === "trace").map(r => Object.fromEntries(r[1]));
	if (!traces.length)
		return;
	testTrace(traces);
	must("precise samples name the load", precise, rows.map(r => r.textContent));
	must("their bar is full",
		precise && precise.querySelector(".bar").offsetWidth === precise.querySelector(".bars").clientWidth -
			10, precise && precise.querySelector(".bar").offsetWidth);
}

testTable();
testHeadings();
testColumns();
testGuest();
testColours();
testSizes();
testEmpty();
testMany();
testFigures();
testAliases();
testPorts();
testForms();
testChooser();
testSmall();
testLinks();
testUnits();
testAxes();
testBranchMap();
testSheet();
testCores();
testSamples();
testSpeed();
testPlots();
must("no request", performance.getEntriesByType("resource").length === 0,
	performance.getEntriesByType("resource").map(e => e.name));
document.body.append(Object.assign(document.createElement("pre"), { textContent: VERDICT.join("\n") + "\n" }));
