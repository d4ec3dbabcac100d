import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../../accounts/web/session.ts'
import type { Invoice } from '../../contract.ts'
import { RestingFee } from './LateFees.tsx'

const user = { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York' } }
const state = { phase: 'signedIn', user }
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const customer = { id: '01a202c7-f2af-717a-8cad-ef17944daad1', name: 'Ann Lee' }
const resting = (stopped: string) =>
  show(
    <SessionContext value={session}>
      <RestingFee
        invoice={
          {
            ...{ id: 'i', number: 7, can: { settleFee: true }, customer },
            reminders: { restingFeeCents: 1500, stopped },
          } as unknown as Invoice
        }
      />
    </SessionContext>,
  ).container

it('leads to the message of who wrote', () => {
  resting('Ann Lee wrote since it was sent')
  const link = screen.getByRole('link', { name: 'Read their message' })
  expect(link.getAttribute('href')).toMatch(/customerId=01a202c7.*messages/)
})

it('of who paid a part speaks of no message', () => {
  const { textContent } = resting('Part of it was paid since Mon, Jun 1')
  expect(textContent).toContain('Look at what came below, and ask whether the rest is on its way.')
  expect(screen.queryByRole('link')).toBeNull()
})

it('leads to the address where the invoice did not arrive', () => {
  resting('INV-7 did not reach them')
  expect(screen.getByRole('link', { name: 'Correct the address' }).getAttribute('href')).toContain(customer.id)
})
