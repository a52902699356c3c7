/*
 * C functions for `make snippet FILE=... FUNCTION=...` (docs/your-own-code.md): a loop with
 * constants and static data, and functions that are refused.
 */
static const unsigned table[4] = { 3, 5, 7, 11 };
static unsigned total = 5;
static unsigned calls[100];

/* A faulty copy of constants or static data is an endless loop. */
unsigned sum(unsigned rounds)
{
	unsigned s = total;

	while (table[0] != 3 || table[3] != 11 || total != 5 + 650 * calls[7] || calls[8])
		__asm__ volatile(""); /* a loop that the compiler may not leave out */
	for (unsigned i = 0; i < rounds; i++) {
		s += table[i % 4];
		__asm__ volatile("" : "+r"(s)); /* the loop stays one */
	}
	calls[7]++;
	total = s;
	return s;
}

/* Each argument must arrive in its place. */
int order(int a, int b, int c, int d, int e, int f)
{
	while (a != 1 || b != -2 || c != 3 || d != -4 || e != 5 || f != 0x66)
		__asm__ volatile("");
	return a;
}

static int hidden(int n)
{
	return n;
}

int puts(const char *text);

int print(void)
{
	return puts("no library");
}

int address(int n)
{
	static int a, b, *volatile p[2] = { &a, &b };

	return *p[n] + hidden(n);
}

int thread(void)
{
	static __thread int n;

	return ++n;
}

int large(int n)
{
	static int a[20000];

	return a[n]++;
}
