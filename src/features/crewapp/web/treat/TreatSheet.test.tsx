import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../../ui/testing/show.tsx'
import type { CrewStop } from '../../contract.ts'
import type { CrewChemicals } from '../../treat/contract.ts'
import type { Crew } from '../data.ts'
import { textsOf } from '../texts.ts'
import { TreatSheet } from './TreatSheet.tsx'

const product = { name: 'Trimec', unit: 'fl oz', rate: 1.5, epaNumber: '', licenseSkill: '', restricted: false }
const chemicals: CrewChemicals = {
  mixes: [
    {
      id: 'm',
      name: 'Weed control',
      carrierGallons: null,
      target: '',
      method: '',
      equipment: '',
      products: [{ productId: 'p', reentryHours: 0, ...product }],
    },
  ],
  people: [{ id: 'luis', name: 'Luis Ortega', licenses: [] }],
  hours: [],
}
const stop = {
  id: 'a',
  street: '12 Oak St',
  state: 'GA',
  startedAt: null,
  finishedAt: null,
  budgetMinutes: 30,
  photos: { before: 0, after: 0, other: 0 },
  treatment: { treats: true, squareFeet: 8000, records: 0, needed: false, keepOffUntil: null },
} as unknown as CrewStop

const aCrew = (took: unknown[][]): Crew =>
  ({
    t: textsOf('en'),
    language: 'en',
    timeZone: 'America/New_York',
    now: Date.now(),
    bundle: { chemicals, days: [] },
    state: { bundle: null },
    outbox: { userId: 'luis' },
    takePhoto: async (...input: unknown[]) => void took.push(input),
  }) as unknown as Crew

it('the photo of the sign belongs to the record: it ticks the sign there, and nothing on the checklist of the visit', async () => {
  const took: unknown[][] = []
  const { user } = show(<TreatSheet crew={aCrew(took)} stop={stop} onClose={() => undefined} />)
  const sign = () => screen.getByRole<HTMLInputElement>('checkbox', { name: /sign/i })
  expect(sign().checked).toBe(false)
  const camera = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!camera) throw new Error('There is no camera.')
  await user.upload(camera, new File(['x'], 'sign.jpg', { type: 'image/jpeg' }))
  await screen.findByRole('checkbox', { name: /sign/i, checked: true })
  const [, kind, , item, caption] = took[0] ?? []
  expect([kind, item, caption]).toEqual(['other', undefined, 'Sign posted'])
})
