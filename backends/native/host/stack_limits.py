"""Runtime support, in LLVM: where the system put a thread's stack, which says how deep calls may go."""

from __future__ import annotations

from typing import Final

# Asking for the bounds of the main thread's stack reads /proc/self/maps: done once a thread, and kept in a
# thread-specific value. pthread_attr_t has at most 64 bytes in glibc and musl.
_LINUX_STACK: Final = """
@jc_stack_key = internal global i32 -1
declare i32 @pthread_key_create(ptr, ptr)
declare ptr @pthread_getspecific(i32)
declare i32 @pthread_setspecific(i32, ptr)
declare i64 @pthread_self()
define internal i64 @this_thread() {
  %self = call i64 @pthread_self()
  ret i64 %self
}
declare i32 @pthread_getattr_np(i64, ptr)
declare i32 @pthread_attr_getstack(ptr, ptr, ptr)
declare i32 @pthread_attr_destroy(ptr)

define i32 @jc_prepare() {
  %status = call i32 @pthread_key_create(ptr @jc_stack_key, ptr null)
  ret i32 %status
}

define internal i64 @stack_bounds(ptr %lowest, ptr %size) {
entry:
  %key = load i32, ptr @jc_stack_key
  %kept = call ptr @pthread_getspecific(i32 %key)
  %limit = ptrtoint ptr %kept to i64
  %known = icmp ne i64 %limit, 0
  br i1 %known, label %done, label %ask
ask:
  %attributes = alloca [256 x i8], align 16
  %self = call i64 @pthread_self()
  %status = call i32 @pthread_getattr_np(i64 %self, ptr %attributes)
  %failed = icmp ne i32 %status, 0
  br i1 %failed, label %guess, label %read
read:
  %ignored.0 = call i32 @pthread_attr_getstack(ptr %attributes, ptr %lowest, ptr %size)
  %ignored.1 = call i32 @pthread_attr_destroy(ptr %attributes)
  ret i64 0
guess:
  call void @guess_bounds(ptr %lowest, ptr %size)
  ret i64 0
done:
  ret i64 %limit
}

define internal void @remember_limit(i64 %limit) {
  %key = load i32, ptr @jc_stack_key
  %kept = inttoptr i64 %limit to ptr
  %ignored = call i32 @pthread_setspecific(i32 %key, ptr %kept)
  ret void
}
"""

_DARWIN_STACK: Final = """
declare ptr @pthread_self()
define internal i64 @this_thread() {
  %self = call ptr @pthread_self()
  %number = ptrtoint ptr %self to i64
  ret i64 %number
}
declare i64 @pthread_get_stackaddr_np(ptr)
declare i64 @pthread_get_stacksize_np(ptr)
define internal i64 @stack_bounds(ptr %lowest, ptr %size) {
  %self = call ptr @pthread_self()
  %high = call i64 @pthread_get_stackaddr_np(ptr %self)
  %bytes = call i64 @pthread_get_stacksize_np(ptr %self)
  %low = sub i64 %high, %bytes
  store i64 %low, ptr %lowest
  store i64 %bytes, ptr %size
  ret i64 0
}
"""

_WINDOWS_STACK: Final = """
declare i32 @GetCurrentThreadId()
define internal i64 @this_thread() {
  %number = call i32 @GetCurrentThreadId()
  %wide = zext i32 %number to i64
  ret i64 %wide
}
declare void @GetCurrentThreadStackLimits(ptr, ptr)
define internal i64 @stack_bounds(ptr %lowest, ptr %size) {
  %high.at = alloca i64
  call void @GetCurrentThreadStackLimits(ptr %lowest, ptr %high.at)
  %high = load i64, ptr %high.at
  %low = load i64, ptr %lowest
  %bytes = sub i64 %high, %low
  store i64 %bytes, ptr %size
  ret i64 0
}
"""

_UNKNOWN_STACK: Final = """
declare i64 @pthread_self()
define internal i64 @this_thread() {
  %self = call i64 @pthread_self()
  ret i64 %self
}
define internal i64 @stack_bounds(ptr %lowest, ptr %size) {
  call void @guess_bounds(ptr %lowest, ptr %size)
  ret i64 0
}
"""

# Where the system does not say: every thread is given 512 KB at least, and half of that may be used up.
_GUESS: Final = """
declare ptr @llvm.frameaddress.p0(i32)
define internal void @guess_bounds(ptr %lowest, ptr %size) {
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %here = ptrtoint ptr %frame to i64
  %low = sub i64 %here, 262144
  store i64 %low, ptr %lowest
  store i64 262144, ptr %size
  ret void
}
"""

_NOT_REMEMBERED: Final = """
define internal void @remember_limit(i64 %limit) {
  ret void
}
define i32 @jc_prepare() {
  ret i32 0
}
"""


def bounds_text(platform: str) -> str:
    """The LLVM text of all this, for the system that `sys.platform` names."""
    if platform.startswith("linux"):
        return _GUESS + _LINUX_STACK
    if platform == "darwin":
        return _GUESS + _DARWIN_STACK + _NOT_REMEMBERED
    if platform == "win32":
        return _GUESS + _WINDOWS_STACK + _NOT_REMEMBERED
    return _GUESS + _UNKNOWN_STACK + _NOT_REMEMBERED
