import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { answerWith, show } from '../../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../../accounts/web/session.ts'
import type { Property } from '../../contract.ts'
import type { PropertyArea } from '../contract.ts'
import { AreasDialog } from './AreasDialog.tsx'

vi.mock('../../../../ui/MapView.tsx', () => ({ MapView: () => null }))

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York', subscription: { active: true } } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const id = '01a202c7-f2af-717a-8cad-ef17944daa01'
const property = { id, street: '12 Oak St', latitude: null, longitude: null } as unknown as Property
const areas: PropertyArea[] = [
  {
    id: '01a202c7-f2af-717a-8cad-ef17944daa02',
    kind: 'turf',
    name: '',
    squareFeet: 4000,
    feetAround: null,
    rings: null,
  },
  {
    id: '01a202c7-f2af-717a-8cad-ef17944daa03',
    kind: 'edge',
    name: '',
    squareFeet: 300,
    feetAround: null,
    rings: null,
  },
]

it('an edge that was typed in square feet shows them and stays so, until its feet are typed', async () => {
  const sent: unknown[] = []
  const found = { propertyId: id, version: 3, items: areas, lawnSquareFeet: 4000, measured: null }
  answerWith(async (request) => {
    if (request.method !== 'GET') sent.push(((await request.json()) as { areas: unknown[] }).areas)
    return { body: request.method === 'GET' ? found : { property, areas: found } }
  })
  const { user } = show(
    <SessionContext value={session}>
      <AreasDialog property={property} onClose={() => undefined} />
    </SessionContext>,
  )
  await screen.findByText('Typed as 300 sq ft before. It stays so until you type its feet.')
  const name = screen.getByRole('textbox', { name: 'Name of area 1' })
  await user.type(name, 'Front')
  await user.click(screen.getByRole('button', { name: 'Save areas' }))
  const [turf, edge] = areas.map((area) => area.id)
  const front = { id: turf, kind: 'turf', name: 'Front', squareFeet: 4000 }
  await waitFor(() => expect(sent[0]).toEqual([front, { id: edge, kind: 'edge', name: '', squareFeet: 300 }]))
  await user.type(screen.getByRole('textbox', { name: 'Feet of area 2' }), '120')
  expect(screen.queryByText(/Typed as 300 sq ft before/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Save areas' }))
  await waitFor(() => expect(sent[1]).toEqual([front, { id: edge, kind: 'edge', name: '', feet: 120 }]))
})

it('an area that becomes an edge here is asked for its feet', async () => {
  const found = { propertyId: id, version: 3, items: areas.slice(0, 1), lawnSquareFeet: 4000, measured: null }
  answerWith(() => ({ body: found }))
  const { user } = show(
    <SessionContext value={session}>
      <AreasDialog property={property} onClose={() => undefined} />
    </SessionContext>,
  )
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Kind of area 1' }), 'Edge')
  await screen.findByText(/^Type the feet of/)
})
