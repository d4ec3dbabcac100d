import { screen, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { answerWith, show } from '../../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../../accounts/web/session.ts'
import type { CustomerConsents as Consents } from '../contract.ts'
import { CustomerConsents } from './CustomerConsents.tsx'
// its code is here before anything is pressed, as it is ahead of a press in the product
import './WordDialog.tsx'

const id = '01a202c7-f2af-717a-8cad-ef17944daadf'
const state = {
  phase: 'signedIn',
  verified: true,
  user: { role: 'Owner', permissions: ['customers'], business: { timeZone: 'America/New_York' } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session

const address = (one: Partial<Consents['addresses'][number]>): Consents['addresses'][number] => ({
  channel: 'sms',
  address: '+19125550101',
  name: 'Ann Lee',
  standing: 'never',
  reason: null,
  can: { agree: true, takeBack: false },
  ...one,
})
const word: Consents['items'][number] = {
  id: '01a202c7-f2af-717a-8cad-ef17944daad1',
  channel: 'email',
  address: 'ann@oak.test',
  purpose: 'marketing',
  action: 'grant',
  source: 'office: On paper, signed',
  wording: 'Form of the fair',
  byName: 'Dana Field',
  day: '2026-06-12',
  at: '2026-06-13T12:00:00.000Z',
}

let now: Consents
let sent: Record<string, unknown>[]
beforeEach(() => {
  sent = []
})

const opened = (addresses: Consents['addresses'], items: Consents['items'] = []) => {
  now = { customerId: id, addresses, items }
  answerWith(async (request) => {
    if (request.method === 'GET') return { body: now }
    sent.push((await request.json()) as Record<string, unknown>)
    now = { ...now, addresses: [address({ standing: 'agreed', can: { agree: true, takeBack: true } })] }
    return { body: now }
  })
  return show(
    <SessionContext value={session}>
      <CustomerConsents customer={{ id, name: 'Ann Lee' }} />
    </SessionContext>,
  )
}
const part = () => screen.findByRole('region', { name: 'Offers to Ann Lee' })

it('says for each number and address whether offers go there, and what was said', async () => {
  opened(
    [
      address({ standing: 'stopped', reason: 'They replied STOP', can: { agree: false, takeBack: false } }),
      address({ channel: 'email', address: 'ann@oak.test', standing: 'agreed', can: { agree: true, takeBack: true } }),
      address({ channel: 'email', address: 'beth@oak.test', name: 'Beth Lee' }),
      address({ address: '+19125550102', standing: 'taken_back' }),
    ],
    [word],
  )
  const rows = within(await part())
  expect(rows.getByText(/They replied STOP\. Only they can turn texts on again, by replying START/)).toBeTruthy()
  expect(rows.getByText('Agreed to offers by e-mail.')).toBeTruthy()
  expect(rows.getByText('Beth Lee. Never agreed to offers, so none go there.')).toBeTruthy()
  expect(rows.getByText('Said no to offers. None go there.')).toBeTruthy()
  expect(rows.getByText('1 word on record')).toBeTruthy()
  expect(rows.getByText('On paper, signed, written down by Dana Field')).toBeTruthy()
  expect(rows.getByText('“Form of the fair”')).toBeTruthy()
  expect(rows.getAllByRole('button', { name: 'Took it back…' })).toHaveLength(1)
})

it('records a yes with how and when it was said, never for a number that said STOP', async () => {
  const { user } = opened([
    address({}),
    address({
      address: '+19125550102',
      standing: 'stopped',
      reason: 'They replied STOP',
      can: { agree: false, takeBack: false },
    }),
  ])
  await user.click(within(await part()).getByRole('button', { name: 'Agreed to offers…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Ann Lee agreed to offers' }))
  const where = dialog.getByLabelText('Where')
  expect(
    within(where)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Texts to (912) 555-0101 (Ann Lee)'])
  await user.selectOptions(dialog.getByLabelText('How they said it'), 'On paper, signed')
  await user.type(dialog.getByLabelText(/What they said/), 'Signed at the door')
  await user.click(dialog.getByRole('button', { name: 'Record that they agreed' }))
  expect(await screen.findByText('Agreed to offers by text.')).toBeTruthy()
  expect(sent).toEqual([
    {
      channel: 'sms',
      address: '+19125550101',
      action: 'grant',
      how: 'paper',
      on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      note: 'Signed at the door',
    },
  ])
})

it('has nothing to record where nothing can be sent', async () => {
  opened([])
  const rows = within(await part())
  expect(rows.getByText(/No mobile number and no e-mail on file/)).toBeTruthy()
  expect(rows.queryByRole('button')).toBeNull()
})
