import { screen, waitFor } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { expect, it } from 'vitest'
import { call } from '#src/shared/client.ts'
import { Button } from './Button.tsx'
import { Form } from './Form.tsx'
import { FormField } from './FormField.tsx'
import { MoneyField } from './MoneyField.tsx'
import { TextField } from './TextField.tsx'
import { answerWith, show } from './testing/show.tsx'
import { useIdempotentMutation } from './useIdempotentMutation.ts'

type Values = { name: string; priceCents: number | null }

const Service = () => {
  const form = useForm<Values>({ defaultValues: { name: '', priceCents: null } })
  const save = useIdempotentMutation({
    mutationFn: (body: Values, idempotencyKey) =>
      call({ method: 'POST', path: '/api/services' }, { body } as never, { idempotencyKey }),
  })
  return (
    <Form form={form} onSubmit={(values) => save.mutateAsync(values)} label="Service">
      <FormField control={form.control} name="name">
        {(f) => <TextField label="Name" {...f} />}
      </FormField>
      <FormField control={form.control} name="priceCents">
        {(f) => <MoneyField label="Price" {...f} />}
      </FormField>
      <Button type="submit">Save</Button>
    </Form>
  )
}

const field = (name: string) => screen.getByRole('textbox', { name }) as HTMLInputElement

/** The form, filled and sent once; `server` answers each try. */
const sent = async (server: (request: Request) => { status?: number; body: unknown }) => {
  const keys: (string | null)[] = []
  answerWith((request) => {
    keys.push(request.headers.get('idempotency-key'))
    return server(request)
  })
  const { user } = show(<Service />)
  const save = () => user.click(screen.getByRole('button', { name: 'Save' }))
  await user.type(field('Name'), 'Mowing')
  await user.type(field('Price'), '45')
  await save()
  return { user, save, keys }
}

it('what the server refuses stands at its field, the first of them has the focus, the rest stands above', async () => {
  await sent(() => ({
    status: 422,
    body: {
      code: 'validation_failed',
      message: 'Please look at what is marked.',
      requestId: 'r-7',
      errors: [
        { path: 'priceCents', message: 'Too little for this season' },
        { path: 'season', message: 'The season has no end' },
      ],
    },
  }))
  await waitFor(() => expect(document.activeElement).toBe(field('Price')))
  expect(field('Price').getAttribute('aria-invalid')).toBe('true')
  expect(document.getElementById(field('Price').getAttribute('aria-describedby') ?? '')?.textContent).toContain(
    'Too little for this season',
  )
  expect(field('Name').getAttribute('aria-invalid')).toBeNull()
  expect(screen.getByRole('listitem').textContent).toBe('The season has no end')
  expect([field('Name').value, field('Price').value]).toEqual(['Mowing', '45.00'])
})

it.each([
  [409, false],
  [500, true],
])(
  'a no (%i) without a field stands above with the focus; a fault of ours has a number for support',
  async (status, quoted) => {
    await sent(() => ({ status, body: { code: 'conflict', message: 'This cannot be saved now.', requestId: 'r-8' } }))
    const said = await screen.findByRole('alert')
    await waitFor(() => expect(document.activeElement).toBe(said))
    expect(said.textContent).toBe(`This cannot be saved now.${quoted ? 'For support: r-8' : ''}`)
  },
)

it('a lost answer keeps what was typed, and the next try is the same one to the server', async () => {
  let lost = true
  const { user, save, keys } = await sent(() => {
    if (lost) throw new TypeError('connection reset')
    return { body: { id: 'a' } }
  })
  await screen.findByText('We could not reach Swath. Check your connection and try again.')
  expect([field('Name').value, field('Price').value]).toEqual(['Mowing', '45.00'])
  lost = false
  await save()
  await waitFor(() => expect(keys).toHaveLength(2))
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(keys[1]).toBe(keys[0])
  await waitFor(() => expect(screen.queryByText(/could not reach/)).toBeNull())
  await user.type(field('Name'), ' again')
  await save()
  await waitFor(() => expect(keys).toHaveLength(3))
  expect(keys[2]).not.toBe(keys[0])
})

it('a second press right behind a quick answer is the first one to the server', async () => {
  const { save, keys } = await sent(() => ({ body: { id: 'a' } }))
  await waitFor(() => expect(keys).toHaveLength(1))
  await save()
  await waitFor(() => expect(keys).toHaveLength(2))
  expect(keys[1]).toBe(keys[0])
})

const Needed = ({ out }: { out: Values[] }) => {
  const form = useForm<Values>({ defaultValues: { name: '', priceCents: 4500 } })
  return (
    <Form form={form} onSubmit={(values) => out.push(values)} label="Service">
      <FormField control={form.control} name="priceCents" needed="Type a price.">
        {(f) => <MoneyField label="Price" hint="Of a visit" {...f} />}
      </FormField>
      <Button type="submit">Save</Button>
    </Form>
  )
}

it.each([
  ['', 'Type a price.'],
  ['12,5', 'Type an amount like 45 or 1,250.00.'],
])('a needed amount typed as %j is not sent and says so', async (typed, words) => {
  const out: Values[] = []
  const { user } = show(<Needed out={out} />)
  await user.clear(field('Price'))
  if (typed) await user.type(field('Price'), typed)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(words)).toBeTruthy()
  expect([out, document.activeElement]).toEqual([[], field('Price')])
  await user.clear(field('Price'))
  await user.type(field('Price'), '0')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(out).toMatchObject([{ priceCents: 0 }]))
})
