import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { Receipts } from './Receipts.tsx'
import { textsOf } from './texts.ts'

it('says at the button, in the person’s language, that nothing was handed in without a signal', async () => {
  answerWith(({ method }) => {
    if (method === 'POST') throw new TypeError('Failed to fetch')
    return { body: { items: [] } }
  })
  const { user } = show(<Receipts t={textsOf('es')} language="es" looks={false} />)
  await user.click(await screen.findByRole('button', { name: 'Entregar un recibo' }))
  const amount = await screen.findByRole('textbox', { name: 'Total en dólares' })
  await user.type(amount, '33.10')
  const button = screen.getByRole('button', { name: 'Entregar' })
  await user.click(button)
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('No se entregó: hace falta señal')
  expect(alert.nextElementSibling).toBe(button)
  expect((amount as HTMLInputElement).value).toBe('33.10')
})
