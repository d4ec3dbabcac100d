import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { show } from '../../../../ui/testing/show.tsx'
import type { CrewDayPlan } from '../../contract.ts'
import type { Crew } from '../data.ts'
import { textsOf } from '../texts.ts'
import { LoadButton } from './LoadButton.tsx'

beforeEach(() => localStorage.clear())

const aCrew = (language: 'en' | 'es'): Crew =>
  ({ t: textsOf(language), language, today: '2026-06-12', outbox: { userId: 'luis' } }) as unknown as Crew
const aPlan = (more: object = {}): CrewDayPlan =>
  ({
    day: '2026-06-13',
    published: true,
    crew: { id: 'north' },
    stops: [
      {
        street: '7 Bay St',
        status: 'scheduled',
        services: ['Weed control'],
        load: [
          { kind: 'product', name: 'Trimec', unit: 'fl oz', amount: 192 },
          { kind: 'water', name: '', unit: 'gal', amount: 12 },
        ],
      },
    ],
    check: {
      equipment: [
        { name: 'Isuzu NPR', out: null },
        { name: 'Mower 3', out: 'belt' },
      ],
    },
    ...more,
  }) as unknown as CrewDayPlan

it('says what goes on the truck tomorrow, and what is ticked stays ticked when the list is opened again', async () => {
  const { user } = show(<LoadButton crew={aCrew('en')} plan={aPlan()} />)
  const open = () => user.click(screen.getByRole('button', { name: 'Load list: Tomorrow' }))
  await open()
  await screen.findByText('3 things to load')
  await user.click(screen.getByRole('checkbox', { name: /Trimec: 192 fl oz \(1\.5 gal\)/ }))
  await screen.findByText('2 things to load')
  // what must not be used is no thing to load
  expect(screen.queryByRole('checkbox', { name: /Mower 3/ })).toBeNull()
  await screen.findByText('Mower 3. Out of service: belt')
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await open()
  await screen.findByRole('checkbox', { name: /Trimec/, checked: true })
  await user.click(screen.getByRole('checkbox', { name: /Water: 12 gal/ }))
  await user.click(screen.getByRole('checkbox', { name: 'Isuzu NPR' }))
  await screen.findByText('Everything is ticked.')
})

it('reads in Spanish', async () => {
  const { user } = show(<LoadButton crew={aCrew('es')} plan={aPlan()} />)
  await user.click(screen.getByRole('button', { name: 'Lista de carga: Mañana' }))
  await screen.findByRole('checkbox', { name: /Agua: 12 gal/ })
  await screen.findByText('Mower 3. Fuera de servicio: belt')
})

it('is not there for a day that takes nothing along', () => {
  const { container } = show(
    <LoadButton crew={aCrew('en')} plan={aPlan({ check: null, stops: [{ ...aPlan().stops[0], load: undefined }] })} />,
  )
  expect(container.querySelector('button')).toBeNull()
})

it('says bags with their size, what of them is needed, and what the load weighs', async () => {
  const pack = { of: 'bag', size: 50, pounds: 50 }
  const stops = [
    {
      street: '7 Bay St',
      status: 'scheduled',
      services: ['Feed'],
      load: [{ kind: 'material', name: 'Fertilizer 24-0-11', unit: 'lb', amount: 44.06, pack }],
    },
  ]
  const { user, unmount } = show(<LoadButton crew={aCrew('en')} plan={aPlan({ stops, check: undefined })} />)
  await user.click(screen.getByRole('button', { name: 'Load list: Tomorrow' }))
  await screen.findByRole('checkbox', { name: /Fertilizer 24-0-11: 1 bag of 50 lb/ })
  screen.getByText('44.06 lb needed, weighs 50 lb, for 1 stop')
  screen.getByText('The load weighs 50 lb.')
  unmount()
  const es = show(<LoadButton crew={aCrew('es')} plan={aPlan({ stops, check: undefined })} />)
  await es.user.click(screen.getByRole('button', { name: 'Lista de carga: Mañana' }))
  await screen.findByRole('checkbox', { name: /Fertilizer 24-0-11: 1 bolsa de 50 lb/ })
})
