import { afterEach, expect, it, vi } from 'vitest'
import { log } from '../../../platform/log.ts'
import { aBusiness } from '../../../test/factories.ts'
import { customersApi } from '../../customers/contract.ts'

afterEach(() => vi.restoreAllMocks())

/** What is written, as the log would take it. */
const listen = () => vi.spyOn(log, 'info').mockImplementation(() => undefined)

it('a request is one line: id, business, method, route, status, milliseconds, and nothing of what was asked', async () => {
  const { api, id } = await aBusiness()
  const lines = listen()
  const answer = await api.raw({ method: 'GET', url: '/api/customers?q=rita.odom' })
  await vi.waitFor(() => expect(lines).toHaveBeenCalled())
  const [line] = lines.mock.calls.map(([fields]) => fields as unknown as Record<string, unknown>)
  expect(line).toEqual({
    requestId: answer.headers['x-request-id'],
    business: id,
    caller: 'user',
    method: 'GET',
    route: '/api/customers',
    status: 200,
    ms: expect.any(Number),
  })
})

it('what a command writes into the audit log names its request', async () => {
  const business = await aBusiness()
  const answer = await business.api.call(customersApi.create, { body: { name: 'Rita Odom', allowDuplicate: false } })
  const rows = await business.db((db) =>
    db.selectFrom('auditLog').select('requestId').where('businessId', '=', business.id).execute(),
  )
  expect(new Set(rows.map((row) => row.requestId))).toEqual(new Set([answer.headers['x-request-id']]))
})
