import { expect, it } from 'vitest'
import { aBusiness } from '../../../test/factories.ts'
import { integrationsApi } from '../contract.ts'

it('tells the office what runs on stand-ins; employees are not told', async () => {
  const own = await aBusiness()
  const { production, items } = await own.api.ok(integrationsApi.list, {})
  expect(production).toBe(false)
  expect(items.find((one) => one.key === 'payments')?.mode).toBe('local')
  expect((await (await own.employee()).api.call(integrationsApi.list, {})).status).toBe(403)
})
