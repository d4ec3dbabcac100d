import { useState } from 'react'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { quoteTemplatesApi } from '../contract.ts'
import { useCreateTemplate } from './data.ts'

type Props = {
  quoteId: string
  name: string
  /** Saves what is on the screen first. @returns false where that failed */
  before: () => Promise<boolean>
}

/** Keeps what a quote holds under a name, to be quoted again. */
export const KeepTemplate = ({ quoteId, name: usual, before }: Props) => {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState(usual)
  const create = useCreateTemplate()
  const submit = async () => {
    if (!(await before())) return
    await create.mutateAsync({ name, fromQuoteId: quoteId })
    toast.success(`${name} is a template now`)
    setOpen(false)
  }
  return (
    <>
      <Button
        calls={quoteTemplatesApi.create}
        kind="quiet"
        onClick={() => {
          setName(usual)
          setOpen(true)
        }}
      >
        Keep as a template
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Keep as a template">
        <div className="qt-form">
          <TextField label="Name" value={name} onChange={setName} maxLength={120} autoFocus />
          {create.error ? <Banner tone="error">{create.error.message}</Banner> : null}
          <FormActions>
            <Button
              calls={quoteTemplatesApi.create}
              kind="primary"
              loading={create.isPending}
              disabled={name.trim() === ''}
              onClick={() => void submit().catch(() => undefined)}
            >
              Keep it
            </Button>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
          </FormActions>
        </div>
      </Dialog>
    </>
  )
}
