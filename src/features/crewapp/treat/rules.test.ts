import { describe, expect, it } from 'vitest'
import { ApplicationDraft } from '../../chemicals/records/contract.ts'
import type { CrewChemicals } from './contract.ts'
import { amountsOf, carriedTimes, checkForm, filledForm, numberOf, recordOf, timesOf, typedTimes } from './rules.ts'

const ids = [1, 2, 3, 4].map((n) => `00000000-0000-7000-8000-00000000000${n}`) as [string, string, string, string]
const [mixId, productId, luis, ana] = ids
const license = { skill: 'applicator', state: 'GA', number: 'GA-1', validFrom: null, expiresOn: '2026-12-31' }
const chemicals: CrewChemicals = {
  mixes: [
    {
      id: mixId,
      name: 'Weed control',
      carrierGallons: 1.5,
      target: 'Dollarweed',
      method: 'Broadcast spray',
      equipment: 'Z-Spray 1',
      products: [
        {
          productId,
          name: 'Trimec',
          unit: 'fl oz',
          rate: 1.5,
          epaNumber: '2217-543',
          licenseSkill: 'Applicator',
          restricted: true,
          reentryHours: 24,
        },
      ],
    },
  ],
  people: [
    { id: luis, name: 'Luis Ortega', licenses: [] },
    { id: ana, name: 'Ana Ruiz', licenses: [license] },
  ],
  hours: [
    {
      at: '2026-06-12T13:00:00.000Z',
      windMph: 3,
      windDegrees: 225,
      temperatureF: 74,
      cloudPercent: 10,
      rainHundredths: 0,
    },
    {
      at: '2026-06-12T14:00:00.000Z',
      windMph: 6,
      windDegrees: null,
      temperatureF: 78,
      cloudPercent: 90,
      rainHundredths: 0,
    },
  ],
}
const mix = chemicals.mixes[0]!
const treatment = { treats: true, squareFeet: 8000, records: 0, needed: false, keepOffUntil: null }
const at = (iso: string) => ({ userId: luis, appliedMs: Date.parse(iso) })
const where = { state: 'GA', day: '2026-06-12', startedAt: '2026-06-12T13:20:00.000Z' }

it.each([
  ['12', 12],
  ['8,000', 8000],
  ['1.5', 1.5],
  ['1,5', 1.5],
  ['', null],
  ['a', null],
  ['-3', null],
])('%j is read as %s', (typed, number) => expect(numberOf(typed)).toBe(number))

describe('one tap on a mix', () => {
  const form = filledForm(chemicals, { treatment }, mix, at('2026-06-12T13:59:59.000Z'))
  it('fills amounts from the measured lawn, and the weather of this hour with where it is from', () => {
    expect(form).toMatchObject({
      squareFeet: '8000',
      products: [{ productId, amount: '12' }],
      carrierGallons: '12',
      windMph: '3',
      windFrom: 'SW',
      temperatureF: '74',
      sky: 'Clear',
      source: 'forecast',
      weatherAt: '2026-06-12T13:00:00.000Z',
      applicatorId: luis,
    })
  })
  it('leaves open what nobody measured or forecast', () => {
    const bare = filledForm(chemicals, {}, mix, at('2026-06-20T13:00:00.000Z'))
    expect(bare).toMatchObject({ squareFeet: '', products: [{ amount: '' }], windMph: '', source: 'none' })
    expect(checkForm(chemicals, bare, where).unread).toEqual(['area', 'amount'])
  })
  it('is refused for a restricted product without a license, and taken under somebody who has one', () => {
    expect(checkForm(chemicals, form, where).license).toBe('refused')
    expect(checkForm(chemicals, { ...form, supervisorId: ana }, where).license).toBe('supervised')
    expect(checkForm(chemicals, { ...form, applicatorId: ana }, where).license).toBe('own')
    expect(checkForm(chemicals, { ...form, applicatorId: ana }, { ...where, state: 'SC' }).license).toBe('refused')
  })
  it('says what the state asks for', () => {
    const lacking = checkForm(chemicals, { ...form, target: '', equipment: ' ' }, where)
    expect(lacking.missing).toEqual(['target', 'equipment'])
    expect(checkForm(chemicals, form, where).missing).toEqual([])
  })
  it('makes a record that the server’s contract takes', () => {
    const record = recordOf(
      chemicals,
      { ...form, noticeLeft: true, temperatureF: '-4' },
      {
        startedAt: where.startedAt,
        endedAt: '2026-06-12T13:40:00.000Z',
        notice: 'Notice left at the door',
        // who saves it signs it, also where somebody else applied
        signedBy: 'Ana Reyes',
      },
    )
    const read = ApplicationDraft.parse(record)
    expect(read).toMatchObject({
      areaSquareFeet: 8000,
      products: [{ productId, rate: 1.5, amount: 12 }],
      carrierGallons: 12,
      noticeLeft: 'Notice left at the door',
      signature: 'Ana Reyes',
      weather: { temperatureF: -4, source: 'forecast' },
    })
    expect(Object.keys(read).sort()).toEqual(Object.keys(record).sort())
  })
})

describe('when a lawn was treated', () => {
  const [start, finish] = ['2026-06-12T13:20:00.000Z', '2026-06-12T13:50:00.000Z']
  const nowMs = Date.parse('2026-06-12T12:45:00.000Z')
  const now = new Date(nowMs).toISOString()
  const stop = (startedAt: string | null, finishedAt: string | null) => ({ startedAt, finishedAt, budgetMinutes: 30 })
  it.each([
    ['all from us', stop(start, finish), stop(start, finish), start, finish, ['startedAt', 'endedAt']],
    ['begun from us, up to now by the phone', stop(start, null), stop(start, null), start, now, ['startedAt']],
    ['begun with a tap that waits here', stop(start, null), stop(null, null), start, now, []],
    ['finished with a tap that waits here', stop(start, finish), stop(start, null), start, finish, ['startedAt']],
    ['never begun', stop(null, null), stop(null, null), '2026-06-12T12:15:00.000Z', now, []],
    ['finished without a start', stop(null, finish), stop(null, finish), start, finish, ['startedAt', 'endedAt']],
    ['of a stop that nobody told', stop(start, null), undefined, start, now, []],
  ] as const)('%s', (_name, projected, told, startedAt, endedAt, ours) =>
    expect(timesOf(projected, told, nowMs)).toEqual({ startedAt, endedAt, ours }),
  )
})

it('amounts follow the area', () => {
  expect(amountsOf(mix, 4000)).toEqual({ products: [{ productId, amount: '6' }], carrierGallons: '6' })
  expect(amountsOf({ ...mix, carrierGallons: null }, 4000).carrierGallons).toBe('')
})

describe('times that were typed', () => {
  const zone = 'America/New_York'
  const known = {
    startedAt: '2026-06-12T14:00:00.000Z',
    endedAt: '2026-06-12T14:40:00.000Z',
    ours: ['startedAt', 'endedAt'] as ('startedAt' | 'endedAt')[],
  }
  const now = Date.parse('2026-06-13T05:00:00Z')
  const typed = (startTime: string, endTime: string, nowMs = now) =>
    typedTimes(known, { startTime, endTime }, zone, nowMs)

  it('take the place of what the phone knows, and are on the clock that it shows', () => {
    expect(typed('', '')).toEqual(known)
    expect(typed('09:30', '')).toEqual({ ...known, startedAt: '2026-06-12T13:30:00.000Z', ours: ['endedAt'] })
    expect(typed('', '10:55')).toEqual({ ...known, endedAt: '2026-06-12T14:55:00.000Z', ours: ['startedAt'] })
    // after midnight
    expect(typed('23:30', '00:20')).toMatchObject({
      startedAt: '2026-06-13T03:30:00.000Z',
      endedAt: '2026-06-13T04:20:00.000Z',
    })
  })

  it('are none when they cannot be', () => {
    expect(typed('11:00', '')).toBeNull()
    expect(typed('', '10:55', Date.parse(known.endedAt))).toBeNull()
    expect(typed('abc', '')).toBeNull()
    // an end before the start is one of tomorrow, which has not come
    expect(typed('09:30', '09:20', Date.parse(known.endedAt))).toBeNull()
  })
})

describe('times on their way', () => {
  const shown = { startedAt: '2026-06-12T14:00:00.000Z', endedAt: '2026-06-12T14:40:00.000Z' }
  const ahead = -70 * 60_000
  it('go back to the phone’s own clock where they are not from us, so that they are put right once', () =>
    expect(carriedTimes({ ...shown, ours: ['startedAt'] }, ahead)).toEqual({
      startedAt: shown.startedAt,
      endedAt: '2026-06-12T15:50:00.000Z',
      ours: ['startedAt'],
    }))
  it('stay as they are on a phone that shows its own clock', () =>
    expect(carriedTimes({ ...shown, ours: [] }, 0)).toEqual({ ...shown, ours: [] }))
})
