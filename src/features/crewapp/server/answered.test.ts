import { expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { ownerPool } from '../../../platform/db/database.ts'
import { newId } from '../../../platform/ids.ts'
import { aBusiness } from '../../../test/factories.ts'
import { chatApi } from '../../chat/contract.ts'
import { crewappApi } from '../contract.ts'

it('a command that was taken stays taken when its answer cannot be given a second time', async () => {
  const business = await aBusiness()
  const luis = await business.employee({ name: 'Luis Ortega' })
  const [thread] = (await luis.api.ok(chatApi.threads, { query: {} })).items
  const payload = { threadId: thread?.id ?? '', text: 'Gate is open' }
  const said = { id: newId(), type: 'chat' as const, at: clock.iso(), payload }
  const send = async () =>
    (await luis.api.ok(crewappApi.commands, { body: { commands: [said], sentAt: clock.iso() } })).results.map(
      ({ result, reason }) => [result, reason],
    )
  expect(await send()).toEqual([['applied', null]])
  await ownerPool().query('alter table chat_reads rename to chat_reads_away')
  try {
    expect(await send()).toEqual([['duplicate', null]])
  } finally {
    await ownerPool().query('alter table chat_reads_away rename to chat_reads')
  }
  expect(await send()).toEqual([['duplicate', null]])
})
