import { describe, expect, it } from 'vitest'
import { nowhere, type Whereabouts } from '../../timeclock/arrivals/rules.ts'
import type { CrewStop } from '../contract.ts'
import { shopId, spotsOf, suggestionOf } from './rules.ts'

const start = Date.parse('2026-06-12T14:00:00Z')
const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString()
const stop = (id: string, more: Partial<CrewStop> = {}): CrewStop =>
  ({
    id,
    street: `${id} St`,
    status: 'scheduled',
    latitude: 32,
    longitude: -81,
    startedAt: null,
    intervalStartedAt: null,
    finishedAt: null,
    ...more,
  }) as CrewStop
const done = (id: string, finished: number) => stop(id, { status: 'completed', finishedAt: at(finished) })
const working = { state: 'working' as const, clockedInAt: at(-60) }

const ask = (
  minutes: number,
  where: Partial<Whereabouts>,
  stops: CrewStop[],
  { dismissed = [] as string[], clock = working as Parameters<typeof suggestionOf>[0]['clock'] } = {},
) =>
  suggestionOf({
    where: { ...nowhere, at: at(minutes), ...where },
    plan: { stops },
    clock,
    nowMs: start + minutes * 60_000,
    dismissed,
  })

describe('arriving', () => {
  const stops = [done('a', -5), stop('b'), stop('c')]
  it('asks after two minutes, with the time of arriving', () => {
    expect(ask(1, { inside: { c: at(0) } }, stops)).toBeNull()
    expect(ask(2, { inside: { c: at(0) } }, stops)).toMatchObject({ kind: 'start', stopId: 'c', at: at(0) })
  })
  it('never before the stop before was finished, nor before the clock began', () => {
    expect(ask(9, { inside: { b: at(-10) } }, stops)).toMatchObject({ at: at(-5) })
    expect(ask(9, { inside: { b: at(-90) } }, [stop('b')])).toMatchObject({ at: at(-60) })
  })
  it('asks nothing on a break, off the clock, of a stop that is done, on old places, or again', () => {
    const here = { inside: { b: at(0) } }
    for (const state of ['break', 'off'] as const)
      expect(ask(5, here, stops, { clock: { ...working, state } })).toBeNull()
    expect(ask(5, { inside: { a: at(0) } }, stops)).toBeNull()
    expect(ask(40, { ...here, at: at(5) }, stops)).toBeNull()
    expect(ask(5, here, stops, { dismissed: [`start:b:${at(0)}`] })).toBeNull()
    expect(ask(5, { inside: { b: at(3) } }, stops, { dismissed: [`start:b:${at(0)}`] })).not.toBeNull()
  })
})

describe('leaving', () => {
  const running = stop('b', { status: 'in_progress', startedAt: at(-30), intervalStartedAt: at(-30) })
  const left = (minutes: number) => ({ left: { b: { since: at(-31), at: at(minutes) } } })
  it('asks to finish with the time of leaving, also where the next one was reached', () => {
    expect(ask(1, left(0), [running])).toBeNull()
    expect(ask(10, { ...left(0), inside: { c: at(5) } }, [running, stop('c')])).toMatchObject({
      kind: 'finish',
      stopId: 'b',
      at: at(0),
    })
  })
  it('says nothing of a stop that was left before it was begun', () => {
    expect(ask(10, left(-40), [running])).toBeNull()
  })
})

describe('a clock that was forgotten', () => {
  const over = [done('a', -90), done('b', -60)]
  it('asks at the shop after ten minutes, for now: unloading is work', () => {
    expect(ask(5, { inside: { [shopId]: at(0) } }, over)).toBeNull()
    expect(ask(12, { inside: { [shopId]: at(0) } }, over)).toMatchObject({ why: 'atShop', at: null })
  })
  it('asks with the time of leaving the shop', () => {
    const left = { [shopId]: { since: at(-20), at: at(0) } }
    expect(ask(15, { left }, over)).toMatchObject({ why: 'leftShop', at: at(0) })
  })
  it('gives the way home an hour after the last stop, and never takes it from anybody', () => {
    expect(ask(-10, {}, over)).toBeNull()
    expect(ask(5, { left: { b: { since: at(-80), at: at(-60) } } }, over)).toMatchObject({ why: 'allDone', at: null })
    expect(ask(5, { inside: { b: at(-80) } }, over)).toBeNull()
  })
})

it('a crew can be at its stops with a place, and at its shop', () => {
  const crew = { depot: { latitude: 32.1, longitude: -81.2 } } as Parameters<typeof spotsOf>[0] extends infer P
    ? NonNullable<P> extends { crew: infer C }
      ? C
      : never
    : never
  const spots = spotsOf({ stops: [stop('a', { reachMeters: 120 }), stop('b', { latitude: null })], crew })
  expect(spots.map(({ id }) => id)).toEqual(['a', shopId])
  expect(spotsOf(null)).toEqual([])
})
