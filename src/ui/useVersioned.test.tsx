import { useQuery } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { expect, it } from 'vitest'
import { ApiError } from '#src/shared/client.ts'
import { Button } from './Button.tsx'
import { Form } from './Form.tsx'
import { FormField } from './FormField.tsx'
import { NumberField } from './NumberField.tsx'
import { TextField } from './TextField.tsx'
import { show } from './testing/show.tsx'
import { useVersioned } from './useVersioned.tsx'

type Fields = { name: string; phone: string; tags: string[]; days: number | null }
type Customer = Fields & { version: number }
type Server = { now: Customer; sent: object[]; failures: (ApiError | null)[]; beforeSave: (() => void)[] }

const start: Customer = { version: 1, name: 'Ann Lee', phone: '1', tags: ['weekly'], days: 30 }
const read = ({ version: _, ...fields }: Customer): Fields => fields
const values = (customer: Customer) => ({ ...read(customer), tags: customer.tags.join(', ') })

const patch = async (server: Server, body: Partial<Fields> & { version: number }): Promise<Customer> => {
  server.sent.push(body)
  server.beforeSave.shift()?.()
  const failure = server.failures.shift()
  if (failure) throw failure
  if (body.version !== server.now.version)
    throw new ApiError('version_conflict', 'Somebody else changed it.', 409, {
      details: { version: server.now.version },
    })
  server.now = { ...server.now, ...body, version: body.version + 1 }
  return server.now
}

const Edit = ({ server, record, live }: { server: Server; record: Customer; live: boolean }) => {
  const form = useForm({ defaultValues: values(record) })
  const { save, dialog, refill } = useVersioned({
    record,
    read,
    load: async () => server.now,
    words: { name: 'Name', phone: { label: 'Phone', show: (phone) => `No. ${phone}` }, tags: 'Tags', days: 'Days' },
    ...(live ? { live: { dirty: form.formState.isDirty, fill: (now: Customer) => form.reset(values(now)) } } : {}),
  })
  return (
    <Form
      form={form}
      label="Customer"
      onSubmit={({ tags, ...rest }) =>
        save({ ...rest, tags: tags.split(', ') }, async (changes, { version }, also) => {
          refill(await patch(server, { ...changes, version }))
          document.title = `Saved${also}`
        })
      }
    >
      {(['name', 'phone', 'tags'] as const).map((name) => (
        <FormField key={name} control={form.control} name={name}>
          {(f) => <TextField label={name} {...f} />}
        </FormField>
      ))}
      <FormField control={form.control} name="days">
        {(f) => <NumberField label="days" {...f} />}
      </FormField>
      <Button type="submit">Save</Button>
      {dialog}
    </Form>
  )
}

const Screen = ({ server, live }: { server: Server; live: boolean }) => {
  const { data } = useQuery({ queryKey: ['customer'], queryFn: async () => server.now })
  return data ? <Edit server={server} record={data} live={live} /> : null
}

/** The form, opened; `type` fills a field anew. */
const opened = async ({ live = false } = {}) => {
  document.title = ''
  const server: Server = { now: start, sent: [], failures: [], beforeSave: [] }
  const shown = show(<Screen server={server} live={live} />)
  const { user } = shown
  const field = (name: string) => screen.getByRole('textbox', { name, hidden: true }) as HTMLInputElement
  await screen.findByRole('textbox', { name: 'name' })
  const type = async (name: string, text: string) => {
    await user.clear(field(name))
    await user.type(field(name), text)
  }
  const theirs = (changes: Partial<Fields>) => {
    server.now = { ...server.now, ...changes, version: server.now.version + 1 }
  }
  const save = () => user.click(screen.getByRole('button', { name: 'Save' }))
  const saved = (words = 'Saved') => waitFor(() => expect(document.title).toBe(words))
  return { ...shown, server, field, type, theirs, save, saved }
}

const title = 'This was changed meanwhile'
const question = () => screen.findByRole('dialog', { name: title })
const gone = () => waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull())
const answer = (label: string, side: RegExp) =>
  within(screen.getByRole('group', { name: label })).getByRole('radio', { name: side })
const button = (name: string) => screen.getByRole('button', { name })
const merged = 'Saved, with what was changed elsewhere meanwhile'

it('sends the version it was opened with and only what was changed', async () => {
  const { server, type, save, saved } = await opened()
  await type('phone', '2')
  await save()
  await saved()
  expect(server.sent).toEqual([{ version: 1, phone: '2' }])
})

it('keeps what others changed in other fields, lists too, and asks nothing', async () => {
  const { server, type, theirs, save, saved } = await opened()
  await type('phone', '2')
  theirs({ name: 'Ann Lee-Fox', tags: ['weekly', 'gate'] })
  await save()
  await saved(merged)
  expect(server.now).toEqual({ version: 3, name: 'Ann Lee-Fox', phone: '2', tags: ['weekly', 'gate'], days: 30 })
  expect(server.sent.at(-1)).toEqual({ version: 2, phone: '2' })
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('asks nothing where both wrote the same', async () => {
  const { server, type, theirs, save, saved } = await opened()
  await type('name', 'Ann Fox')
  await type('phone', '2')
  theirs({ name: 'Ann Fox' })
  await save()
  // the form shows all of it already
  await saved()
  expect(server.sent.at(-1)).toEqual({ version: 2, phone: '2' })
})

it('speaks of no one else where only something beside the form was changed', async () => {
  const { server, type, theirs, save, saved } = await opened()
  await type('phone', '2')
  theirs({})
  await save()
  await saved()
  expect(server.sent.at(-1)).toEqual({ version: 2, phone: '2' })
})

/** Both changed name and phone; they changed the tags and this person the days besides. */
const clashing = async () => {
  const all = await opened()
  await all.type('name', 'My Ann')
  await all.type('phone', '2')
  await all.type('days', '14')
  all.theirs({ name: 'Their Ann', phone: '3', tags: ['theirs'] })
  await all.save()
  await question()
  return all
}

it('shows both answers of what both changed, chooses none, and saves nothing before', async () => {
  const { user, server } = await clashing()
  for (const [label, theirs, mine] of [
    ['Name', 'Saved Their Ann', 'Typed here My Ann'],
    ['Phone', 'Saved No. 3', 'Typed here No. 2'],
  ] as const)
    expect(
      within(screen.getByRole('group', { name: label }))
        .getAllByRole('radio')
        .map((radio) => [radio.closest('label')?.textContent, (radio as HTMLInputElement).checked]),
    ).toEqual([
      [theirs, false],
      [mine, false],
    ])
  expect(screen.queryByRole('group', { name: 'Tags' })).toBeNull()
  expect(screen.queryByRole('group', { name: 'Days' })).toBeNull()
  await user.click(answer('Name', /Typed here/))
  await user.click(button('Save what I chose'))
  await screen.findByText('Choose which one to keep.')
  expect(server.sent).toHaveLength(1)
})

it('saves the answer chosen for each field, with all else of both', async () => {
  const { user, server, saved } = await clashing()
  await user.click(answer('Name', /Typed here/))
  await user.click(answer('Phone', /Saved/))
  await user.click(button('Save what I chose'))
  await gone()
  await saved(merged)
  expect(server.now).toEqual({ version: 3, name: 'My Ann', phone: '3', tags: ['theirs'], days: 14 })
  expect(server.sent.at(-1)).toEqual({ version: 2, name: 'My Ann', days: 14 })
})

it('asks again only about what was changed once more while choosing', async () => {
  const { user, server, theirs, saved } = await clashing()
  theirs({ name: 'Third Ann', tags: ['third'] })
  await user.click(answer('Name', /Typed here/))
  await user.click(answer('Phone', /Typed here/))
  await user.click(button('Save what I chose'))
  await screen.findByText('Third Ann')
  expect(screen.queryByRole('group', { name: 'Phone' })).toBeNull()
  expect((answer('Name', /Typed here/) as HTMLInputElement).checked).toBe(false)
  theirs({ days: 30, tags: ['fourth'] })
  await user.click(answer('Name', /Saved/))
  await user.click(button('Save what I chose'))
  await gone()
  await saved(merged)
  expect(server.now).toMatchObject({ name: 'Third Ann', phone: '2', tags: ['fourth'], days: 14 })
})

it('goes back to the form with everything typed, by its button and by Esc, and asks again at the next save', async () => {
  const { user, server, field, save } = await clashing()
  await user.click(button('Back to the form'))
  await gone()
  expect(['name', 'phone', 'days'].map((name) => field(name).value)).toEqual(['My Ann', '2', '14'])
  await save()
  await question()
  await user.keyboard('{Escape}')
  await gone()
  expect(field('name').value).toBe('My Ann')
  expect(server.now.name).toBe('Their Ann')
})

it('stays with the question when saving fails, and takes what the server says of a field to the form', async () => {
  const { user, server, field } = await clashing()
  await user.click(answer('Name', /Typed here/))
  await user.click(answer('Phone', /Typed here/))
  server.failures.push(
    new ApiError('network', 'We could not reach Swath.', 0),
    new ApiError('validation_failed', 'No.', 422, { errors: [{ path: 'phone', message: 'Ten digits, please' }] }),
  )
  await user.click(button('Save what I chose'))
  await screen.findByText('This did not work. What you typed is still here; please try again.')
  await user.click(button('Save what I chose'))
  await gone()
  await screen.findByText('Ten digits, please')
  expect([field('name').value, server.now.name]).toEqual(['My Ann', 'Their Ann'])
})

it('never saves while something typed cannot be read', async () => {
  const { server, type, save, field, saved } = await opened()
  await type('name', 'Ann Fox')
  await type('days', 'soon')
  await save()
  await waitFor(() => expect(document.activeElement).toBe(field('days')))
  await screen.findByText('Type a number, like 12 or 12.5.')
  expect(server.sent).toEqual([])
  await type('days', '14')
  await save()
  await saved()
  expect(server.sent).toEqual([{ version: 1, name: 'Ann Fox', days: 14 }])
})

it('a form that stays open takes in what others change, unless something is being typed', async () => {
  const { client, field, type, theirs, server, save, saved } = await opened({ live: true })
  theirs({ name: 'Their Ann' })
  await client.invalidateQueries()
  await waitFor(() => expect(field('name').value).toBe('Their Ann'))
  await type('phone', '2')
  theirs({ name: 'Again Ann' })
  await client.invalidateQueries()
  await save()
  await saved(merged)
  expect([field('name').value, field('phone').value]).toEqual(['Again Ann', '2'])
  expect(server.sent).toEqual([
    { version: 2, phone: '2' },
    { version: 3, phone: '2' },
  ])
})
