import { expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { aPaid, dispute, first, titles } from '../../../../test/disputes.ts'
import { disputesApi } from '../contract.ts'
import { submitWork } from './tasks.ts'

it('evidence that nobody answered for is the office’s to send again', async () => {
  const paid = await aPaid()
  await dispute(paid)
  const { id, version, text } = await first(paid)
  await paid.api.ok(disputesApi.submitEvidence, { params: { id }, body: { text, version } })
  await submitWork.gaveUp?.(systemActor(paid.own.id), { disputeId: id })
  expect(await first(paid)).toMatchObject({ submission: 'refused', text, can: { submit: true, edit: true } })
  expect((await first(paid)).state).not.toContain('on its way')
  expect(await titles(paid.api)).toContain('Your evidence about $55.00 of Rebecca Odom could not be sent')
})
