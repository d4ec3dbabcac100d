import { afterEach, expect, it } from 'vitest'
import { buildServer } from '../../app-server.ts'
import { accountsApi } from '../../features/accounts/contract.ts'
import { testServer } from '../../test/api.ts'
import { aBusiness } from '../../test/factories.ts'
import { config } from '../config.ts'
import { newId } from '../ids.ts'

afterEach(() => {
  Object.assign(config, { trustProxy: undefined })
})

const addressOf = async (trustProxy: typeof config.trustProxy, forwarded: string): Promise<string> => {
  Object.assign(config, { trustProxy })
  await testServer()
  const app = await buildServer()
  app.get('/address', (request) => ({ ip: request.ip }))
  try {
    const answer = await app.inject({
      url: '/address',
      remoteAddress: '10.0.0.9',
      headers: { 'x-forwarded-for': forwarded },
    })
    return answer.json().ip
  } finally {
    await app.close()
  }
}

it.each([
  ['nobody is believed unless told', undefined, '1.1.1.1, 2.2.2.2', '10.0.0.9'],
  ['one proxy: only what it saw itself', 1, '1.1.1.1, 2.2.2.2', '2.2.2.2'],
  ['two proxies', 2, '6.6.6.6, 1.1.1.1, 2.2.2.2', '1.1.1.1'],
  ['a proxy by its address', ['10.0.0.0/8'], '1.1.1.1, 2.2.2.2', '2.2.2.2'],
  ['another address is no proxy', ['192.168.0.0/16'], '1.1.1.1, 2.2.2.2', '10.0.0.9'],
])('%s', async (_, trustProxy, forwarded, address) => {
  expect(await addressOf(trustProxy, forwarded)).toBe(address)
})

it('wrong passwords from ever new addresses slow the account down', async () => {
  const { owner } = await aBusiness()
  const app = await testServer()
  const tryFrom = (n: number) =>
    app.inject({
      method: 'POST',
      url: accountsApi.login.path,
      remoteAddress: `10.9.${Math.floor(n / 250)}.${n % 250}`,
      payload: { email: owner.email, password: `wrong ${newId()}` },
    })
  const answers: number[] = []
  for (let n = 0; n < 22; n += 1) answers.push((await tryFrom(n)).statusCode)
  expect(answers.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401))
  expect(answers.at(-1)).toBe(429)
})
