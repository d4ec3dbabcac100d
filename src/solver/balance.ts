import type { Compiled } from './compile.ts'
import { endOf, type State } from './state.ts'

/** When a crew is done; one without a stop is done when its shift begins. */
function doneAt(s: State, r: number): number {
  if (s.c.frozen[r]) return s.c.frozenEnd[r]!
  return s.count[r] === 0 ? s.c.shiftStart[r]! : endOf(s, r)
}

/** Cents of crews ending apart, 0 where nobody asks. */
export function balanceCents(s: State): number {
  const { balance } = s.c
  if (!balance) return 0
  let seconds = 0
  for (const routes of balance.days) {
    let first = Number.POSITIVE_INFINITY
    let last = Number.NEGATIVE_INFINITY
    for (const r of routes) {
      const end = doneAt(s, r)
      first = Math.min(first, end)
      last = Math.max(last, end)
    }
    if (last - first > balance.toleranceSeconds) seconds += last - first - balance.toleranceSeconds
  }
  return seconds * balance.rate
}

/** Makes places on crews that end late dearer and on crews that end early cheaper, until the next call. */
export function pullTogether(s: State): void {
  const { balance } = s.c
  if (!balance) return
  for (const routes of balance.days) {
    let sum = 0
    let first = Number.POSITIVE_INFINITY
    let last = Number.NEGATIVE_INFINITY
    for (const r of routes) {
      const end = doneAt(s, r)
      sum += end
      first = Math.min(first, end)
      last = Math.max(last, end)
    }
    const mean = sum / routes.length
    const apart = last - first
    const weight = apart > balance.toleranceSeconds ? balance.rate / Math.max(1, apart) : 0
    for (const r of routes) balance.pull[r] = (doneAt(s, r) - mean) * weight
  }
}

/** Cents by which a visit more on the route is wanted less (or more) for the sake of evenness. */
export function pullCents(c: Compiled, r: number, seconds: number): number {
  return c.balance ? c.balance.pull[r]! * seconds : 0
}
