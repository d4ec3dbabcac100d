import { useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { campaignsApi } from '../contract.ts'
import { mostTestAddresses, mostTestsAnHour, type Variant } from '../rules.ts'
import { useCampaigns } from './data.ts'

/** Addresses as people write several: with commas, semicolons or spaces between them. */
const addressesIn = (typed: string): string[] => typed.split(/[\s,;]+/).filter(Boolean)

type Props = { id: string; language: 'en' | 'es'; variant: Variant; onClose: () => void }

/** A test to addresses that somebody types: to see it in another program, or to show it to somebody. */
export const TestTo = ({ id, language, variant, onClose }: Props) => {
  const { test } = useCampaigns()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const send = () => {
    const to = addressesIn(typed)
    if (to.length === 0) return setProblem('Write an e-mail address.')
    test.mutate(
      { id, language, variant, to },
      {
        onSuccess: (sent) => {
          toast.success(`A test is on its way to ${sent.to}`)
          onClose()
        },
        onError: (error) =>
          setProblem(
            (error instanceof ApiError ? error.errors.map(({ message }) => message).join(' ') : '') || error.message,
          ),
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
          error={problem}
          onChange={(text) => {
            setTyped(text)
            setProblem(undefined)
          }}
        />
        <p className="hint">
          It is no part of the campaign: nobody of the audience gets it, and nothing of it is counted. {mostTestsAnHour}{' '}
          an hour may go to other addresses.
        </p>
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
