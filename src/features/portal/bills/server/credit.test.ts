import { expect, it } from 'vitest'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { today } from '../../../../test/field.ts'
import { aCustomer, signIn } from '../../../../test/portal.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { creditsApi } from '../../../payments/credits/contract.ts'

it('credit is promised to the next invoice only where it goes there, and a deposit is named by its work', async () => {
  const own = await aBusiness()
  const { customerId, jobId } = await aCustomer(own)
  const params = { id: customerId }
  await own.api.ok(correctionsApi.giveCredit, { params, body: { amountCents: 1200, reason: 'A flower bed' } })
  const deposit = { method: 'check' as const, receivedOn: today() }
  await own.api.ok(creditsApi.recordDeposit, { params, body: { ...deposit, amountCents: 30_000, jobId } })
  await own.api.ok(creditsApi.recordDeposit, { params, body: { ...deposit, amountCents: 100 } })
  await runTasks()
  const window = await signIn(own)
  const { base } = window
  const pages = async () => [(await window.get(base)).words, (await window.get(`${base}/bills`)).words]
  for (const words of await pages()) {
    expect(words).toContain('You have $13.00 of credit. Ask us to use it on an invoice.')
    expect(words).toMatch(/\$300\.00 of your deposit for .+ is kept for that work\./)
    expect(words).not.toContain('goes on your next invoice')
  }
  const mails = async () =>
    (await own.db((db) => db.selectFrom('messages').select('bodyText').where('businessId', '=', own.id).execute())).map(
      ({ bodyText }) => bodyText,
    )
  const said = (await mails()).join('\n')
  expect(said).toContain('$12.00 of it is kept for you as credit. Ask us to use it on an invoice.')
  expect(said).toContain('Your payment of $1.00 has arrived. It stands as your credit. Ask us to use it on an invoice.')
  const { version } = await own.api.ok(businessesApi.get, {})
  await own.api.ok(businessesApi.update, { body: { useCredit: true, version } })
  for (const words of await pages()) expect(words).toContain('You have $13.00 of credit; it goes on your next invoice.')
  await own.api.ok(creditsApi.recordDeposit, { params, body: { ...deposit, amountCents: 200 } })
  await runTasks()
  expect((await mails()).join('\n')).toContain('It stands as your credit. It goes on your next invoice.')
})
