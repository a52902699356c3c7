/*
 * Whether this machine's Linux answers INT 80h: exit status 0, or the end by SIGSEGV. A
 * confidential guest (SEV, TDX) and the word ia32_emulation=0 leave no gate behind that vector.
 */

int main(void)
{
	int pid;

	__asm__ volatile("int $0x80" : "=a"(pid) : "a"(20) : "memory"); /* getpid */
	return pid > 0 ? 0 : 1;
}
