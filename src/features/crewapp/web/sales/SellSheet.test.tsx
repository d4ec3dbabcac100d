import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { show } from '../../../../ui/testing/show.tsx'
import type { CrewStop } from '../../contract.ts'
import type { Crew } from '../data.ts'
import { textsOf } from '../texts.ts'
import { SellSheet } from './SellSheet.tsx'

const hedge = { id: 'h', name: 'Hedge trimming', nameEs: 'Recorte de setos', unit: 'hour' }
const edging = { id: 'e', name: 'Edging', unit: 'visit' }
const sold = {
  id: 'x',
  kind: 'sale',
  state: 'added',
  title: 'Hedge trimming, 2 hours',
  titleEs: '',
  by: '',
  open: true,
}
const stop = {
  ...{ id: 'a', street: '12 Oak St', services: ['Mowing', 'Edging'] },
  extras: [sold],
} as unknown as CrewStop

const aSale = (language: 'en' | 'es', at = stop) => {
  const enqueue = vi.fn(async () => ({ id: 'id' }))
  const crew = {
    t: textsOf(language),
    language,
    outbox: { userId: 'luis', enqueue },
    bundle: {
      sales: {
        business: 'Whitfield Lawn',
        services: [hedge, edging],
        stops: [{ visitId: 'a', reached: true, units: { h: 4000, e: 1500 } }],
      },
    },
  } as unknown as Crew
  return { ...show(<SellSheet crew={crew} stop={at} open onClose={() => undefined} />), enqueue }
}

it('says what is done at the stop anyway, and asks before it is sold there once more', async () => {
  const { user, enqueue } = aSale('en')
  expect(screen.getAllByText('Already on this stop')).toHaveLength(2)
  await user.click(screen.getByLabelText(/^Edging/))
  await user.click(screen.getByRole('button', { name: 'Send the customer a question' }))
  expect(screen.getByRole('status').textContent).toBe(
    'Edging: already on this stop. Add it once more, as further work?',
  )
  expect(enqueue).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Add it once more' }))
  expect(enqueue).toHaveBeenCalledTimes(1)
})

it('asks before the customer signs for it, in Spanish too, and again for each service', async () => {
  const { user } = aSale('es')
  await user.click(screen.getByLabelText(/^Recorte de setos/))
  await user.click(screen.getByRole('button', { name: 'El cliente firma aquí' }))
  expect(screen.queryByRole('button', { name: 'I agree' })).toBeNull()
  screen.getByText('Recorte de setos: ya está en esta parada. ¿Lo agregas otra vez, como trabajo adicional?')
  await user.click(screen.getByLabelText(/^Edging/))
  expect(screen.queryByRole('button', { name: 'Agregar otra vez' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'El cliente firma aquí' }))
  await user.click(screen.getByRole('button', { name: 'Agregar otra vez' }))
  screen.getByRole('button', { name: 'I agree' })
})

it('asks nothing where it was refused or taken back', async () => {
  const { user, enqueue } = aSale('en', {
    ...stop,
    extras: [
      { ...sold, state: 'refused' },
      { ...sold, id: 'y', state: 'withdrawn' },
    ],
  } as unknown as CrewStop)
  expect(screen.getAllByText('Already on this stop')).toHaveLength(1)
  await user.click(screen.getByLabelText(/^Hedge trimming/))
  await user.click(screen.getByRole('button', { name: 'Send the customer a question' }))
  expect(enqueue).toHaveBeenCalledTimes(1)
})
