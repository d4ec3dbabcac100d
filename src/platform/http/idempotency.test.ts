import { spawn } from 'node:child_process'
import { once as onceOf } from 'node:events'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leadsApi } from '../../features/prospects/contract.ts'
import { AppError } from '../../shared/errors.ts'
import { somebodyWaits, useDatabase } from '../../test/database.ts'
import { aBusiness, type TestBusiness } from '../../test/factories.ts'
import { aVisitor } from '../../test/funnel.ts'
import { type Moment, moments, probeApi, probeServer } from '../../test/probe.ts'
import { withProspects } from '../db/prospects.ts'
import { type TenantDb, withTenant } from '../db/tenant.ts'
import { newId } from '../ids.ts'
import { ofRefused } from './idempotency.ts'

type Form = keyof typeof probeApi
const forms = ['whole', 'steps'] as const

let app: FastifyInstance
let business: TestBusiness
let arrived = Promise.withResolvers<void>()
let goOn = Promise.withResolvers<void>()

beforeAll(async () => {
  business = await aBusiness()
  app = await probeServer({
    wait: async () => {
      arrived.resolve()
      await goOn.promise
    },
    overtaken: async () => {
      arrived.resolve()
      await goOn.promise
      throw new AppError('conflict', 'This is void already.')
    },
    renameOwner: () => withTenant({ businessId: business.id }, renameOwner),
  })
})
afterAll(() => app.close())

const renameOwner = (db: TenantDb) =>
  db
    .updateTable('users')
    .set({ name: 'Rita Odom' })
    .where('businessId', '=', business.id)
    .where('id', '=', business.owner.userId)
    .execute()

type Press = { form: Form; key: string; name: string; at?: Partial<Record<Moment, string>>; token?: string | null }

const headersOf = ({ key, at = {}, token = business.api.token }: Press): Record<string, string> => ({
  'content-type': 'application/json',
  authorization: `Bearer ${token}`,
  'idempotency-key': key,
  ...Object.fromEntries(Object.entries(at).map(([moment, what]) => [`x-at-${moment}`, what])),
})
const press = async (asked: Press) => {
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: probeApi[asked.form].path,
    headers: headersOf(asked),
    payload: { name: asked.name },
  })
  return { status: statusCode, body: JSON.parse(body) as { id: string; mark: string; code?: string } }
}
const rowsNamed = (name: string) =>
  business.db((db) =>
    db.selectFrom('customers').select('id').where('businessId', '=', business.id).where('name', '=', name).execute(),
  )
const keysOf = (key: string) =>
  business.db((db) =>
    db
      .selectFrom('idempotencyKeys')
      .select('answer')
      .where('businessId', '=', business.id)
      .where('key', '=', key)
      .execute(),
  )

describe.each(forms)('a key of an endpoint in one transaction or in steps: %s', (form) => {
  it('a repeat gets the stored answer, another body is refused', async () => {
    const asked = { form, key: newId(), name: `Twice ${form}` }
    const first = await press(asked)
    expect(first.status).toBe(200)
    expect(await press(asked)).toEqual(first)
    const other = await press({ ...asked, name: 'Else' })
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_mismatch'])
    expect(await rowsNamed(asked.name)).toHaveLength(1)
  })

  it('another body is refused also before there is an answer', async () => {
    const asked = { form, key: newId(), name: `Unanswered ${form}` }
    expect((await press({ ...asked, at: { written: 'break' } })).status).toBe(500)
    const other = await press({ ...asked, name: `Other ${form}` })
    // in one transaction the fault took the key back with the work
    expect(other.status).toBe(form === 'steps' ? 409 : 200)
    expect(await rowsNamed(`Other ${form}`)).toHaveLength(form === 'steps' ? 0 : 1)
  })

  it('a repeat at the same time waits and gets the same answer', async () => {
    arrived = Promise.withResolvers()
    goOn = Promise.withResolvers()
    const asked = { form, key: newId(), name: `At once ${form}` }
    const first = press({ ...asked, at: { written: 'wait' } })
    await arrived.promise
    let done = false
    const second = press(asked).finally(() => {
      done = true
    })
    await somebodyWaits()
    expect(done).toBe(false)
    goOn.resolve()
    expect(await second).toEqual(await first)
    expect(await rowsNamed(asked.name)).toHaveLength(1)
  })

  it.each([
    ['a refusal after writing', 'refuse', 409],
    ['a fault of ours after writing', 'break', 500],
  ])('%s leaves nothing behind and the key free', async (_, what, status) => {
    const asked = { form, key: newId(), name: `${what} ${form}` }
    expect((await press({ ...asked, at: { written: what } })).status).toBe(status)
    expect(await rowsNamed(asked.name)).toHaveLength(0)
    expect((await keysOf(asked.key)).filter((row) => row.answer !== null)).toEqual([])
    expect((await press(asked)).status).toBe(200)
    expect(await rowsNamed(asked.name)).toHaveLength(1)
  })

  it('a lock that takes too long is 503 and leaves the key free', async () => {
    const asked = { form, key: newId(), name: `Locked ${form}` }
    const held = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<void>()
    const holding = business.db(async (db) => {
      await renameOwner(db)
      held.resolve()
      await letGo.promise
    })
    await held.promise
    const busy = await press({ ...asked, at: { between: 'renameOwner' } })
    letGo.resolve()
    await holding
    expect([busy.status, busy.body.code]).toEqual([503, 'unavailable'])
    expect((await press(asked)).status).toBe(200)
    expect(await rowsNamed(asked.name)).toHaveLength(1)
  })

  it.each(form === 'whole' ? moments.slice(1) : moments)(
    'a process killed at "%s" ends, after the retry, with one row and one answer',
    async (moment) => {
      const { url } = await useDatabase()
      const child = spawn(process.execPath, [join(import.meta.dirname, '../../test/probe.ts'), url], {
        env: { ...process.env, NODE_OPTIONS: '', VITEST: '' },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      try {
        const [line] = (await onceOf(child.stdout, 'data')) as [Buffer]
        const asked = { form, key: newId(), name: `Killed ${form} ${moment}` }
        const gone = onceOf(child, 'close')
        await expect(
          fetch(new URL(probeApi[form].path, line.toString().trim()), {
            method: 'POST',
            headers: headersOf({ ...asked, at: { [moment]: 'die' } }),
            body: JSON.stringify({ name: asked.name }),
          }),
        ).rejects.toThrow()
        expect((await gone)[1]).toBe('SIGKILL')
        const [a, b] = [await press(asked), await press(asked)]
        expect([a.status, b]).toEqual([200, a])
        expect(await rowsNamed(asked.name)).toHaveLength(1)
        expect((await keysOf(asked.key)).map((row) => JSON.parse(row.answer ?? 'null'))).toEqual([a.body])
      } finally {
        child.kill('SIGKILL')
      }
    },
  )
})

it('what its own twin, which ended first, made of the record is no refusal: in steps both get one answer', async () => {
  arrived = Promise.withResolvers()
  goOn = Promise.withResolvers()
  const asked = { form: 'steps' as const, key: newId(), name: 'Overtaken' }
  const late = press({ ...asked, at: { first: 'overtaken' } })
  await arrived.promise
  const twin = await press(asked)
  goOn.resolve()
  expect([twin.status, await late]).toEqual([200, twin])
  expect(await rowsNamed(asked.name)).toHaveLength(1)
  // with nothing done by this key it stays a refusal
  expect((await press({ ...asked, key: newId(), at: { first: 'overtaken' } })).status).toBe(409)
})

it('the key of another person, another business or another endpoint is another key', async () => {
  const asked = { form: 'whole' as const, key: newId(), name: 'Same key' }
  const first = await press(asked)
  const answers = [
    await press({ ...asked, form: 'steps' }),
    await press({ ...asked, token: (await business.admin()).api.token }),
    await press({ ...asked, token: (await aBusiness()).api.token }),
  ]
  for (const { status, body } of answers) expect([status, body.mark === first.body.mark]).toEqual([200, false])
})

it('a visitor who sends a form again with the same key has sent it once', async () => {
  const visitor = aVisitor()
  const body = { name: 'Rita Odom', email: `${newId()}@x.test`, phone: '(912) 555-0147' }
  const headers = { 'idempotency-key': newId() }
  const [a, b] = await Promise.all([
    visitor.ok(leadsApi.create, { body }, headers),
    visitor.ok(leadsApi.create, { body }, headers),
  ])
  expect(b).toEqual(a)
  const made = await withProspects((db) =>
    db.selectFrom('applications').select('id').where('leadId', '=', a.leadId).execute(),
  )
  expect(made).toHaveLength(1)
})

it('looks only beside a refusal for what a twin did, and a database that is away hides no refusal', async () => {
  let looks = 0
  const find = async () => {
    looks += 1
    return 'theirs'
  }
  const refusal = new AppError('conflict', 'This is void already.')
  expect(await ofRefused(refusal, find)).toBe('theirs')
  for (const fault of [new TypeError('a fault of ours'), new AppError('unavailable', 'The database is away.')])
    expect(await ofRefused(fault, find)).toBeUndefined()
  expect(looks).toBe(1)
  expect(await ofRefused(refusal, () => Promise.reject(new Error('The database is away.')))).toBeUndefined()
})
