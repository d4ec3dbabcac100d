import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { minuteOfDay } from '../../../../shared/dates.ts'
import { ToastHost } from '../../../../ui/ToastHost.tsx'
import { show } from '../../../../ui/testing/show.tsx'
import type { CrewStop } from '../../contract.ts'
import { timeValue } from '../../figures/rules.ts'
import { ourInstant } from '../../rules.ts'
import type { CrewChemicals } from '../../treat/contract.ts'
import type { Crew } from '../data.ts'
import { deviceClock } from '../deviceClock.ts'
import { noteSharing } from '../positions/sharing.ts'
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
  checklist: [],
  checked: [],
  photos: { before: 0, after: 0, other: 0 },
  treatment: { treats: true, squareFeet: 8000, records: 0, needed: false, keepOffUntil: null },
} as unknown as CrewStop

const aCrew = (took: unknown[][], acted: unknown[][] = []): Crew =>
  ({
    t: textsOf('en'),
    language: 'en',
    timeZone: 'America/New_York',
    now: Date.now(),
    wallNow: Date.now(),
    bundle: { chemicals, days: [] },
    state: { bundle: null },
    outbox: { userId: 'luis' },
    act: async (...input: unknown[]) => void acted.push(input),
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

afterEach(() => {
  noteSharing('luis', false)
  Object.defineProperty(navigator, 'geolocation', { configurable: true, value: undefined })
})

it('the photo of the sign has its place where the person shares theirs, and none where they do not', async () => {
  const took: unknown[][] = []
  const here = { coords: { latitude: 32.05, longitude: -81.1, accuracy: 7.6 } }
  Object.defineProperty(navigator, 'geolocation', {
    configurable: true,
    value: { getCurrentPosition: (found: (at: unknown) => void) => found(here) },
  })
  const { user } = show(<TreatSheet crew={aCrew(took)} stop={stop} onClose={() => undefined} />)
  const camera = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!camera) throw new Error('There is no camera.')
  const photo = () => user.upload(camera, new File(['x'], 'sign.jpg', { type: 'image/jpeg' }))
  await photo()
  await waitFor(() => expect(took).toHaveLength(1))
  expect(took[0]?.[5]).toBeNull()
  noteSharing('luis', true)
  await photo()
  await waitFor(() => expect(took).toHaveLength(2))
  expect(took[1]?.[5]).toEqual({ latitude: 32.05, longitude: -81.1, accuracyMeters: 8 })
})

type User = ReturnType<typeof show>['user']
/** With what is empty, which is asked about. */
const saveSo = async (user: User) => {
  await user.click(screen.getByRole('button', { name: /^Save/ }))
  await user.click(screen.getByRole('button', { name: 'Save without it' }))
}

it('asks before it seals a record with nothing said of wind, temperature and sign, and not once they are', async () => {
  const acted: unknown[][] = []
  const { user } = show(<TreatSheet crew={aCrew([], acted)} stop={stop} onClose={() => undefined} />)
  const save = () => user.click(screen.getByRole('button', { name: 'Save the record' }))
  await save()
  screen.getByText(/^Save without the wind, the temperature, the sign\?/)
  await user.click(screen.getByRole('button', { name: 'Fill it in' }))
  await user.type(screen.getByLabelText('Wind, in mph'), '6')
  await save()
  screen.getByText(/^Save without the temperature, the sign\?/)
  expect(acted).toEqual([])
  await user.type(screen.getByLabelText('Temperature, in °F'), '-4')
  await user.click(screen.getByRole('checkbox', { name: 'Sign posted' }))
  await save()
  expect(acted[0]?.[2]).toMatchObject({ record: { weather: { windMph: 6, temperatureF: -4 }, signPosted: true } })
})

it('says winds and the flag in the words of the crew, and writes down those of the record', async () => {
  const acted: unknown[][] = []
  const crew = { ...aCrew([], acted), t: textsOf('es'), language: 'es' } as Crew
  const { user } = show(<TreatSheet crew={crew} stop={stop} onClose={() => undefined} />)
  await user.selectOptions(screen.getByLabelText('Viento del'), 'SO')
  screen.getByRole('checkbox', { name: 'Bandera de aviso puesta' })
  expect(document.body.textContent).not.toMatch(/letrero/i)
  await user.click(screen.getByRole('button', { name: 'Guardar el registro' }))
  await user.click(screen.getByRole('button', { name: 'Guardar así' }))
  expect(acted[0]?.[2]).toMatchObject({ record: { weather: { windFrom: 'SW' } } })
})

it('who saves it signs it with their name, and is told so before', async () => {
  const acted: unknown[][] = []
  const others = { ...chemicals, people: [...chemicals.people, { id: 'ana', name: 'Ana Reyes', licenses: [] }] }
  const crew = { ...aCrew([], acted), bundle: { chemicals: others, days: [] } } as unknown as Crew
  const { user } = show(<TreatSheet crew={crew} stop={stop} onClose={() => undefined} />)
  await user.selectOptions(screen.getByLabelText('Applied by'), 'Ana Reyes')
  screen.getByText('By saving it you sign it with your name: Luis Ortega.')
  await saveSo(user)
  expect(acted[0]?.[2]).toMatchObject({ record: { applicatorId: 'ana', signature: 'Luis Ortega' } })
})

it.each([
  ['not ticked yet: the record ticks it', [], true, [{ item: 'Lawn flag posted', done: true }]],
  ['ticked: the record has it, and nothing more is to be said', ['Lawn flag posted'], false, []],
  ['ticked, and not so: the record counts', ['Lawn flag posted'], true, [{ item: 'Lawn flag posted', done: false }]],
])('a sign that the checklist asks for, too, is said once: %s', async (_, checked, presses, ticks) => {
  const acted: unknown[][] = []
  const flagged = { ...stop, checklist: [{ text: 'Lawn flag posted', required: true }], checked } as CrewStop
  const { user } = show(<TreatSheet crew={aCrew([], acted)} stop={flagged} onClose={() => undefined} />)
  const sign = screen.getByRole<HTMLInputElement>('checkbox', { name: /sign/i })
  expect(sign.checked).toBe(checked.length > 0)
  if (presses) await user.click(sign)
  await saveSo(user)
  await waitFor(() => expect(acted).toHaveLength(1 + ticks.length))
  expect(acted.map(([type]) => type)).toEqual(['treat', ...ticks.map(() => 'check')])
  expect(acted[0]?.[2]).toMatchObject({ record: { signPosted: checked.length > 0 !== presses } })
  expect(acted.slice(1).map(([, , payload]) => payload)).toEqual(ticks)
})

it('whose sign could not be ticked is saved all the same, and says which of both is lacking', async () => {
  const flagged = { ...stop, checklist: [{ text: 'Lawn flag posted', required: true }] } as CrewStop
  const act = async (type: string) => {
    if (type === 'check') throw new Error('No room')
  }
  const closed: string[] = []
  const { user } = show(
    <>
      <TreatSheet
        crew={{ ...aCrew([]), act } as unknown as Crew}
        stop={flagged}
        onClose={() => void closed.push('closed')}
      />
      <ToastHost />
    </>,
  )
  await user.click(screen.getByRole('checkbox', { name: /sign/i }))
  await user.click(screen.getByRole('button', { name: /^Save/ }))
  await user.click(screen.getByRole('button', { name: 'Save without it' }))
  await screen.findByText(/The record is saved\. Only the checklist could not be changed/)
  expect(closed).toEqual(['closed'])
  expect(screen.queryByText(textsOf('en').notSaved)).toBeNull()
})

it('says what of the property was treated, and from when to when, where that is not what the phone knows', async () => {
  const acted: unknown[][] = []
  const areas = [
    { kind: 'turf', name: 'Front', squareFeet: 2400 },
    { kind: 'bed', name: '', squareFeet: 300 },
  ]
  const atNoon = {
    ...stop,
    startedAt: '2026-06-12T16:00:00Z',
    finishedAt: '2026-06-12T16:40:00Z',
    treatment: { ...stop.treatment, areas },
  } as unknown as CrewStop
  const { user } = show(<TreatSheet crew={aCrew([], acted)} stop={atNoon} onClose={() => undefined} />)
  await user.selectOptions(screen.getByLabelText('What was treated?'), 'Front')
  expect(screen.getByLabelText<HTMLInputElement>('Treated, in square feet').value).toBe('2400')
  expect(screen.getByLabelText<HTMLInputElement>(/Trimec used/).value).toBe('3.6')
  const begun = screen.getByLabelText<HTMLInputElement>('Begun at')
  expect(begun.value).toBe('12:00')
  fireEvent.change(begun, { target: { value: '13:30' } })
  screen.getByText('The end has to come after the start, and not later than now.')
  fireEvent.change(begun, { target: { value: '11:45' } })
  await saveSo(user)
  expect(acted[0]?.[2]).toMatchObject({
    record: {
      areaName: 'Front',
      areaSquareFeet: 2400,
      startedAt: '2026-06-12T15:45:00.000Z',
      endedAt: '2026-06-12T16:40:00Z',
    },
  })
})

describe('on a phone whose clock is seventy minutes ahead of ours', () => {
  const behindSeconds = -70 * 60
  const our = (minutesAgo: number) => Date.now() + behindSeconds * 1000 - minutesAgo * 60_000
  const learn = (ms: number) => deviceClock.asking()(new Date(ms).toISOString())
  const timeOf = (ms: number) => timeValue(minuteOfDay(new Date(ms).toISOString(), 'America/New_York'))
  beforeEach(() => learn(our(0)))
  afterEach(() => learn(Date.now()))

  it('shows our time, takes what is typed as our time, and is put right once on its way', async () => {
    const acted: unknown[][] = []
    const crew = { ...aCrew([], acted), now: our(0) }
    const { user } = show(<TreatSheet crew={crew} stop={stop} onClose={() => undefined} />)
    const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
    expect([timeOf(our(0)), timeOf(our(1))]).toContain(field('Done at').value)
    expect([timeOf(our(30)), timeOf(our(31))]).toContain(field('Begun at').value)
    const typed = timeOf(our(10))
    fireEvent.change(field('Done at'), { target: { value: typed } })
    expect(screen.queryByText(/^The end has to come after/)).toBeNull()
    await saveSo(user)
    const [, , payload] = acted[0] ?? []
    const { record } = payload as { record: { startedAt: string; endedAt: string } }
    // as the server does it with the tap and all that came with it
    const booked = (at: string) => Date.parse(ourInstant(at, behindSeconds, Number.POSITIVE_INFINITY))
    expect(timeOf(booked(record.endedAt))).toBe(typed)
    expect(Math.abs(booked(record.startedAt) - our(30))).toBeLessThan(60_000)
  })
})
