import { useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { campaignsApi } from '../contract.ts'
import { mostTestAddresses, mostTestsAnHour, type Variant } from '../rules.ts'
import { useCampaigns } from './data.ts'

/** Addresses as people write several, with commas, semicolons or spaces between them, or as mail programs give them: "Pat <pat@partner.com>". */
const addressesIn = (typed: string): string[] =>
  typed
    .split(/[,;\n]+/)
    .flatMap((part) => {
      const named = [...part.matchAll(/<\s*([^<>\s]+)\s*>/g)].map(([, address]) => address ?? '')
      const words = part.replace(/<[^<>]*>/g, ' ').split(/\s+/)
      // beside an address in brackets stands a name, or one more address
      return named.length > 0 ? [...named, ...words.filter((word) => word.includes('@'))] : words
    })
    .filter(Boolean)

/** What is wrong with the addresses stands at their field; what else is in the way has nothing to do with it. */
const problemsOf = (error: unknown): { field?: string; other?: string } => {
  const said = error instanceof ApiError ? error.errors : []
  const [ofField, others] = [
    said.filter(({ path }) => path.startsWith('to')),
    said.filter(({ path }) => !path.startsWith('to')),
  ]
  const words = (of: typeof said) => of.map(({ message }) => message).join(' ')
  if (said.length === 0)
    return { other: error instanceof Error ? error.message : 'The test did not leave. What you typed is still here.' }
  return {
    ...(ofField.length > 0 ? { field: words(ofField) } : {}),
    ...(others.length > 0 ? { other: words(others) } : {}),
  }
}

type Props = { id: string; language: 'en' | 'es'; variant: Variant; onClose: () => void }

/** A test to addresses that somebody types: to see it in another program, or to show it to somebody. */
export const TestTo = ({ id, language, variant, onClose }: Props) => {
  const { test } = useCampaigns()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<{ field?: string; other?: string }>({})
  const send = () => {
    const to = addressesIn(typed)
    if (to.length === 0) return setProblem({ field: 'Write an e-mail address.' })
    test.mutate(
      { id, language, variant, to },
      {
        onSuccess: (sent) => {
          toast.success(`A test is on its way to ${sent.to}`)
          onClose()
        },
        onError: (error) => setProblem(problemsOf(error)),
      },
    )
  }
  return (
    <Dialog open onClose={onClose} title="Send a test to other addresses">
      <form
        className="cp-new"
        aria-label="Test to other addresses"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          send()
        }}
      >
        <TextField
          label="E-mail addresses"
          autoFocus
          hint={`Up to ${mostTestAddresses}, with commas between them. Its subject begins with “Test:”.`}
          value={typed}
          error={problem.field}
          onChange={(text) => {
            setTyped(text)
            setProblem({})
          }}
        />
        <p className="hint">
          It is no part of the campaign: nobody of the audience gets it, and nothing of it is counted. {mostTestsAnHour}{' '}
          an hour may go to other addresses.
        </p>
        {problem.other ? <Banner tone="error">{problem.other}</Banner> : null}
        <FormActions>
          <Button calls={campaignsApi.test} type="submit" kind="primary" loading={test.isPending}>
            Send the test
          </Button>
          <Button onClick={onClose} disabled={test.isPending}>
            Cancel
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
