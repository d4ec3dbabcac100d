import { describe, expect, it } from 'vitest'
import { aBusiness } from '../../../test/factories.ts'
import { integrationsApi } from '../contract.ts'

describe('integrations', () => {
  it('says how each provider is reached, and names no secret', async () => {
    const business = await aBusiness()
    const { items } = await business.api.ok(integrationsApi.list, {})
    expect(Object.fromEntries(items.map((item) => [item.id, item.mode]))).toMatchObject({
      payments: 'local',
      mail: 'local',
      sms: 'local',
      books: 'off',
    })
    expect(items.filter((item) => item.mode === 'off').every((item) => item.missing)).toBe(true)
    expect(JSON.stringify(items)).not.toMatch(/password|secret|postgres:/i)
    expect((await (await business.employee()).api.call(integrationsApi.list, {})).status).toBe(403)
  })
})
