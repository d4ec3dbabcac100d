import { screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { Material } from '../contract.ts'
import { Calculator } from './Calculator.tsx'
import { OnPurchaseList } from './OnPurchaseList.tsx'

const state = {
  phase: 'signedIn',
  user: {
    _id: '01a202c7-f2af-717a-8cad-ef17944daa01',
    role: 'Owner',
    permissions: [],
    business: { timeZone: 'America/New_York', subscription: { active: true } },
  },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const around = (part: React.ReactElement) =>
  show(
    <SessionContext value={session}>
      <MemoryRouter>{part}</MemoryRouter>
    </SessionContext>,
  )

const settings = { payloadPounds: 2000, lawsOff: [], version: 1, can: { update: true } }

it('an area that cannot be is told once, at its field, and nothing is answered below', async () => {
  answerWith(() => ({ body: { items: [], settings } }))
  const { user } = around(<Calculator bar={null} />)
  const area = await screen.findByLabelText('Area')
  await user.type(area, '6000')
  await screen.findByText('1,870 gal')
  await user.clear(area)
  await user.type(area, '99999999999')
  await waitFor(() => expect(screen.getAllByText('The area is too large.')).toHaveLength(1))
  expect(screen.queryByText(/ gal$/)).toBeNull()
  expect(screen.getAllByText('Correct what is marked to see it.').length).toBeGreaterThan(0)
  await user.clear(area)
  await user.type(area, '0')
  await waitFor(() => expect(screen.getAllByText('Type more than 0.')).toHaveLength(1))
  expect(screen.queryByText(/ gal$/)).toBeNull()
})

it('the purchase list proposes what is short, and a far too large amount is asked about before it is put there', async () => {
  const asked = answerWith(() => ({ body: { id: state.user._id } }))
  const material = {
    ...{ id: state.user._id, name: 'Fertilizer', package: 'bag', packageSize: 50, unit: 'lb', onHand: 3 },
    costCents: 3850,
  } as Material
  const done: string[] = []
  const { user } = around(
    <OnPurchaseList
      material={material}
      choice={{} as never}
      result={{ packages: 5 } as never}
      place={null}
      onClose={() => undefined}
      onDone={(words) => done.push(words)}
    />,
  )
  const count = screen.getByLabelText('To buy')
  expect((count as HTMLInputElement).value).toBe('2')
  await user.clear(count)
  await user.type(count, '1000000')
  await user.click(screen.getByRole('button', { name: 'Put it on the list' }))
  await screen.findByText('1,000,000 bags cost $38,500,000.00. Is that meant?')
  expect(asked).toEqual([])
  // another number is another purchase
  await user.clear(count)
  await user.type(count, '900')
  await user.click(screen.getByRole('button', { name: 'Put it on the list' }))
  await user.click(await screen.findByRole('button', { name: 'Put 900 bags on the list' }))
  await waitFor(() => expect(done).toEqual(['Added to the purchase list: 900 bags.']))
  expect(asked).toHaveLength(1)
})
