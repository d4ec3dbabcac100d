import { expect, test } from 'vitest'
import type { CrewStop } from '../contract.ts'
import { mayBeOvergrown } from './rules.ts'

const treatment = (treats: boolean): CrewStop['treatment'] => ({
  ...{ treats, squareFeet: 8000, records: 0, needed: false, keepOffUntil: null },
})

test.each([
  ['mowing', { services: ['Mow, edge, blow'] }, true],
  ['mowing a lawn that was treated before', { services: ['Mow, edge, blow'], treatment: treatment(false) }, true],
  ['mowing and a treatment', { services: ['Mow, edge, blow', 'Weed control'], treatment: treatment(true) }, true],
  ['a treatment alone', { services: ['Weed control'], treatment: treatment(true) }, false],
] as const)('%s: %#', (_, stop, may) => {
  expect(mayBeOvergrown({ ...stop, services: [...stop.services] } as CrewStop)).toBe(may)
})
