import { describe, expect, it } from 'vitest'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { type SenderRegistration, senderRegistrationApi } from '../contract.ts'
import { markRefusal, missingDetails, stepsOf } from '../rules.ts'

const details = {
  legalName: 'Green Test Lawns LLC',
  entity: 'llc',
  ein: '12-3456789',
  street: '1 Oak St',
  city: 'Savannah',
  state: 'GA',
  zip: '31401',
  website: 'https://greenlawn.example',
  email: 'office@greenlawn.example',
  phone: '(912) 555-0143',
} as const
const get = (own: TestBusiness) => own.api.ok(senderRegistrationApi.get, {})
const save = (own: TestBusiness, kind: 'local' | 'tollFree', version: number, changes = {}) =>
  own.api.ok(senderRegistrationApi.save, { body: { kind, details: { ...details, ...changes }, version } })
const mark = (own: TestBusiness, body: Record<string, unknown>) =>
  own.api.call(senderRegistrationApi.mark, { body: body as never })
const now = ({ steps }: SenderRegistration) => steps.map(({ key, state }) => `${key} ${state}`)

describe('the registration of texts', () => {
  it('leads a local number from what is known to approved, each step in words', async () => {
    const own = await aBusiness({ name: 'Green Test Lawns' })
    const empty = await get(own)
    expect([empty.version, empty.details.legalName]).toEqual([0, 'Green Test Lawns'])
    expect(now(empty)).toEqual(['kind now', 'details later', 'brand later', 'campaign later', 'done later'])
    const half = await save(own, 'local', 0, { ein: '', website: '' })
    expect(half.steps[1]?.words).toBe('Still needed: the EIN and a website.')
    expect((await mark(own, { step: 'brand', state: 'sent', version: 1 })).error.message).toContain('the EIN')
    const whole = await save(own, 'local', 1)
    expect(whole.details).toMatchObject({ ein: '123456789', phone: '+19125550143' })
    expect(now(whole)).toEqual(['kind done', 'details done', 'brand now', 'campaign later', 'done later'])
    expect(whole.texts.find(({ label }) => label === 'How people agree')?.text).toContain('https://greenlawn.example')
    expect((await mark(own, { step: 'campaign', state: 'sent', version: 2 })).status).toBe(409)
    expect((await mark(own, { step: 'brand', state: 'approved', version: 2 })).error.message).toContain('sent in')
    expect((await mark(own, { step: 'brand', state: 'sent', on: '2200-01-01', version: 2 })).status).toBe(422)
    await mark(own, { step: 'brand', state: 'sent', on: '2026-01-02', version: 2 })
    expect((await get(own)).steps[2]?.words).toContain('Sent in on Fri, Jan 2, 2026')
    expect((await mark(own, { step: 'brand', state: 'returned', version: 3 })).error.errors?.[0]?.path).toBe('note')
    await mark(own, { step: 'brand', state: 'returned', note: 'The EIN does not fit the name', version: 3 })
    expect((await get(own)).steps[2]).toMatchObject({
      state: 'returned',
      words: expect.stringContaining('does not fit'),
    })
    await mark(own, { step: 'brand', state: 'sent', version: 4 })
    await mark(own, { step: 'brand', state: 'approved', version: 5 })
    await mark(own, { step: 'campaign', state: 'sent', version: 6 })
    expect((await mark(own, { step: 'brand', state: 'open', version: 7 })).status).toBe(409)
    await mark(own, { step: 'campaign', state: 'approved', version: 7 })
    const done = await get(own)
    expect(now(done)).toEqual(['kind done', 'details done', 'brand done', 'campaign done', 'done now'])
    expect(done.steps.at(-1)?.words).toContain('as before')
    // another kind of number begins anew
    expect(now(await save(own, 'tollFree', 8))).toEqual(['kind done', 'details done', 'campaign now', 'done later'])
  })

  it('refuses what nobody could register, an older version, and who may not change settings', async () => {
    const own = await aBusiness()
    for (const wrong of [{ ein: '12' }, { zip: '1' }, { website: 'lawns' }, { email: 'x' }, { phone: '5' }])
      expect(
        (
          await own.api.call(senderRegistrationApi.save, {
            body: { kind: 'local', details: { ...details, ...wrong }, version: 0 } as never,
          })
        ).status,
      ).toBe(422)
    await save(own, 'local', 0)
    const old = { kind: 'local', details, version: 0 } as const
    expect((await own.api.call(senderRegistrationApi.save, { body: old })).status).toBe(409)
    expect((await get(own)).version).toBe(1)
    const crew = await own.employee()
    expect((await crew.api.call(senderRegistrationApi.get, {})).status).toBe(403)
  })
})

it('only a sole proprietor goes without an EIN, and a toll-free number has no brand', () => {
  const without = { ...details, ein: '', phone: '+19125550143' }
  expect(missingDetails(without)).toEqual(['the EIN'])
  expect(missingDetails({ ...without, entity: 'soleProprietor' })).toEqual([])
  const open = { state: 'open', on: null, note: null } as const
  const registration = {
    kind: 'tollFree',
    details: { ...details, phone: '+19125550143' },
    brand: open,
    campaign: open,
  } as const
  expect(stepsOf(registration).map(({ key }) => key)).toEqual(['kind', 'details', 'campaign', 'done'])
  expect(markRefusal({ ...registration, step: 'brand', to: 'sent' })).toContain('no brand')
  expect(markRefusal({ ...registration, step: 'campaign', to: 'sent' })).toBeNull()
})
