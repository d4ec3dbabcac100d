import { useQuery } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { FormField } from '#src/ui/FormField.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import { answerWith, show } from '#src/ui/testing/show.tsx'
import type { BusinessSettings } from '../contract.ts'
import { businessQuery } from './data.ts'
import { Section } from './Section.tsx'

type Settings = Pick<BusinessSettings, 'version' | 'name' | 'publicAbout' | 'invoiceTerms'>

const Part = () => {
  const { data } = useQuery(businessQuery)
  return data ? (
    <Section
      id="part"
      title="Public page"
      lead=""
      settings={data}
      saved="Saved"
      pick={(s) => ({ name: s.name, publicAbout: s.publicAbout })}
      words={{ name: 'Name', publicAbout: 'About you' }}
      toChange={(values) => values}
    >
      {({ control }) => (
        <>
          <FormField control={control} name="name">
            {(f) => <TextField label="Name" {...f} />}
          </FormField>
          <FormField control={control} name="publicAbout">
            {(f) => <TextField label="About" {...f} />}
          </FormField>
        </>
      )}
    </Section>
  ) : null
}

/** Something typed into `About` and saved, after somebody else changed `theirs`. */
const savedOver = async (theirs: Partial<Settings>) => {
  const server = { now: { version: 1, name: 'Green', publicAbout: '', invoiceTerms: '' } as Settings }
  const sent: object[] = []
  answerWith(async (request) => {
    if (request.method === 'GET') return { body: server.now }
    const body = (await request.json()) as Settings
    sent.push(body)
    if (body.version !== server.now.version)
      return { status: 409, body: { code: 'version_conflict', message: 'x', details: { version: server.now.version } } }
    server.now = { ...server.now, ...body, version: server.now.version + 1 }
    return { body: server.now }
  })
  const { user } = show(<Part />)
  await user.type(await screen.findByRole('textbox', { name: 'About' }), 'Mine')
  server.now = { ...server.now, ...theirs, version: 2 }
  await user.click(screen.getByRole('button', { name: 'Save public page' }))
  return { user, server, sent }
}

const about = () => screen.getByRole('textbox', { name: 'About' }) as HTMLInputElement

it('saves over what others changed in other parts and other fields, and asks nothing', async () => {
  const { server, sent } = await savedOver({ invoiceTerms: 'By check', name: 'Greener' })
  await waitFor(() => expect(server.now).toMatchObject({ version: 3, publicAbout: 'Mine', name: 'Greener' }))
  expect(sent).toEqual([
    { version: 1, publicAbout: 'Mine' },
    { version: 2, publicAbout: 'Mine' },
  ])
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Greener'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

/** The answers of the field that both changed, as they are read out. */
const answers = async () =>
  within(await screen.findByRole('group', { name: 'About you' }))
    .getAllByRole('radio')
    .map((one) => one.closest('label')?.textContent)

it('shows both answers to a field that both changed, and keeps mine without taking back the rest of theirs', async () => {
  const { user, server } = await savedOver({ publicAbout: 'Theirs', name: 'Greener' })
  expect(await answers()).toEqual(['Saved Theirs', 'Typed here Mine'])
  expect(server.now.publicAbout).toBe('Theirs')
  await user.click(screen.getByRole('radio', { name: /Typed here/ }))
  await user.click(screen.getByRole('button', { name: 'Save what I chose' }))
  await waitFor(() => expect(server.now).toMatchObject({ version: 3, publicAbout: 'Mine', name: 'Greener' }))
})

it('asks about a field that somebody changed while what was typed waited off the screen', async () => {
  let now = { version: 1, name: 'Green', publicAbout: '', invoiceTerms: '' }
  answerWith(async (request) => {
    if (request.method === 'GET') return { body: now }
    const { version } = (await request.json()) as { version: number }
    if (version === now.version) return { body: now }
    return { status: 409, body: { code: 'version_conflict', message: 'x', details: { version: now.version } } }
  })
  const { client, user, rerender } = show(<Part />)
  await user.type(await screen.findByRole('textbox', { name: 'About' }), 'Mine')
  rerender(<p>Another section</p>)
  now = { ...now, version: 2, publicAbout: 'Theirs' }
  client.setQueryData<unknown>(businessQuery.queryKey, now)
  rerender(<Part />)
  expect(about().value).toBe('Mine')
  await user.click(screen.getByRole('button', { name: 'Save public page' }))
  expect(await answers()).toEqual(['Saved Theirs', 'Typed here Mine'])
  await user.click(screen.getByRole('radio', { name: /Saved/ }))
  await user.click(screen.getByRole('button', { name: 'Save what I chose' }))
  await waitFor(() => expect(about().value).toBe('Theirs'))
})
