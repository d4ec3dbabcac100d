import { expect, it } from 'vitest'
import { benchmarksOf } from './rules.ts'

const of = (now: number | null, jobsPerRoute = 14.2) =>
  benchmarksOf({ perLaborHourCents: { now, before: null, lastYear: null }, jobsPerRoute })

it.each([
  [5999, 'Below what owners aim at'],
  [6000, 'Within what owners aim at'],
  [8000, 'Within what owners aim at'],
  [8001, 'Above what owners aim at'],
])('%i cents for a labor hour: %s', (cents, verdict) => {
  expect(of(cents)[0]).toMatchObject({ verdict })
})

it('says nothing of a number that is not known, and judges no route without knowing its crew', () => {
  expect(of(null, 0).map(({ own, verdict }) => [own, verdict])).toEqual([
    [null, null],
    [null, null],
  ])
  expect(of(5000)[1]).toMatchObject({ own: '14.2', verdict: null })
})

it('names for each range where it was said', () => {
  expect(of(5000).map(({ opens }) => opens)).toEqual(['completed', 'routes'])
  for (const { ranges } of of(5000))
    for (const { source, href } of ranges) expect([source.length > 5, href.startsWith('http')]).toEqual([true, true])
})
