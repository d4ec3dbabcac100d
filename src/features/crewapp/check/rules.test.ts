import { expect, it } from 'vitest'
import { usualItems } from '../../equipment/checks/rules.ts'
import { commandOf, type Draft, emptyDraft, meterQuestion, openLines, tenthsOf } from './rules.ts'

it.each([
  ['1,234.5', 12_345],
  [' 48210 ', 482_100],
  ['', null],
  ['-4', null],
  ['12 h', null],
])('typed as %j is %s tenths', (text, tenths) => expect(tenthsOf(text)).toBe(tenths))

const truck = '01a1ff84-fab4-74dc-8663-90f4b25b03f3'
const check = {
  asks: 'anytime' as const,
  items: usualItems.slice(0, 2),
  equipment: [
    {
      id: truck,
      kind: 'truck' as const,
      name: 'Truck',
      meter: 'miles' as const,
      tenths: 10,
      readOn: '2026-06-10',
      out: null,
    },
  ],
  done: null,
}

it('every point has to be answered, and a phone sends each with what is wrong and what the meter reads', () => {
  expect(openLines(check, emptyDraft).map(({ itemId }) => itemId)).toEqual(['tires', 'lights'])
  const defect = { id: 'd', note: ' Flat ', stops: true, photos: [{ id: 'p', blob: new Blob([]), takenAt: '' }] }
  const draft: Draft = {
    answers: { [`${truck} tires`]: defect, [`${truck} lights`]: true },
    meters: { [truck]: '48,210' },
  }
  expect(openLines(check, draft)).toEqual([])
  expect(commandOf(check, draft)).toEqual({
    readings: [{ equipmentId: truck, tenths: 482_100 }],
    answers: [
      {
        equipmentId: truck,
        item: 'Tires and lug nuts',
        ok: false,
        defect: { id: 'd', note: 'Flat', stops: true, photoIds: ['p'] },
      },
      { equipmentId: truck, item: 'Lights and signals', ok: true },
    ],
  })
  expect(commandOf(check, { ...draft, meters: { [truck]: '' } }).readings).toEqual([])
})

it.each([
  ['', null],
  ['ten', 'notANumber'],
  ['0.5', 'lower'],
  ['4500', null],
  ['45020', 'far'],
] as const)('%j typed for a meter that read 1 mile two days before: %s', (typed, question) => {
  const [piece] = check.equipment
  if (!piece) throw new Error('a piece')
  expect(meterQuestion(typed, piece, '2026-06-12')).toBe(question)
})
