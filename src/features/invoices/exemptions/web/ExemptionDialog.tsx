import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { Day } from '../../../../shared/dates.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { FileDrop } from '../../../../ui/FileDrop.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { IconPlus } from '../../../../ui/icons.ts'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { StateField } from '../../../../ui/StateField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay, useToday } from '../../../accounts/web/session.ts'
import { largestUpload } from '../../../files/rules.ts'
import { type Exemptions, exemptionsApi } from '../contract.ts'
import { certificateLabel } from '../rules.ts'
import { exemptionsQuery, useExemptions } from './data.ts'

type Item = Exemptions['items'][number]
type Values = { certificate: string; state: string; validFrom: Day | null; validUntil: Day | null }

const kinds = 'image/jpeg,image/png,image/webp,application/pdf'

const badges = {
  valid: <Badge tone="done">Valid</Badge>,
  ahead: <Badge>Begins later</Badge>,
  expired: <Badge tone="late">Expired</Badge>,
}

/** Where they pay no tax today, in a sentence. */
const sentenceOf = ({ taxExempt, byHand, items, customerName }: Exemptions): string => {
  if (items.length === 0)
    return byHand
      ? `${customerName} is marked as exempt from sales tax everywhere, without a certificate. Once one is on file, only certificates decide.`
      : `${customerName} pays sales tax. With a certificate on file they pay none for as long as it is valid.`
  if (taxExempt === true) return `${customerName} pays no sales tax today.`
  if (taxExempt === false || taxExempt.length === 0)
    return `No certificate of ${customerName} is valid today, so sales tax is charged.`
  return `${customerName} pays no sales tax today on work in ${taxExempt.join(', ')}.`
}

const Add = ({ customerId, known, onDone }: { customerId: string; known: readonly Item[]; onDone: () => void }) => {
  const today = useToday()
  const { add, setFile } = useExemptions(customerId)
  const [file, setChosen] = useState<File | null>(null)
  const form = useForm<Values>({
    defaultValues: { certificate: '', state: '', validFrom: today, validUntil: null },
  })
  const submit = async ({ certificate, state, validFrom, validUntil }: Values) => {
    if (!certificate.trim())
      return form.setError('certificate', { message: 'Type the number that stands on it.' }, { shouldFocus: true })
    if (!validFrom) return form.setError('validFrom', { message: 'From which day is it valid?' }, { shouldFocus: true })
    if (validUntil && validUntil < validFrom)
      return form.setError('validUntil', { message: 'It ends before it begins.' }, { shouldFocus: true })
    const next = await add.mutateAsync({ certificate, state: state || null, validFrom, validUntil })
    const made = next.items.find(({ id }) => !known.some((one) => one.id === id))
    if (file && made) await setFile.mutateAsync({ id: made.id, file }).catch((error) => toast.error(error))
    toast.success(`Certificate ${certificate.trim()} is on file`)
    onDone()
  }
  return (
    <Form form={form} onSubmit={submit} label="New certificate">
      <FieldGrid min={180}>
        <FormField control={form.control} name="certificate">
          {(f) => <TextField {...f} label="Certificate number" maxLength={60} />}
        </FormField>
        <FormField control={form.control} name="state">
          {(f) => <StateField {...f} label="For work in" placeholder="Every state" />}
        </FormField>
        <FormField control={form.control} name="validFrom">
          {(f) => <DateField {...f} label="Valid from" today={today} />}
        </FormField>
        <FormField control={form.control} name="validUntil">
          {(f) => <DateField {...f} label="Last valid day" optional today={today} />}
        </FormField>
      </FieldGrid>
      <FileDrop
        label={file ? file.name : 'The certificate'}
        hint="PDF or picture. It can be added later."
        accept={kinds}
        maxBytes={largestUpload}
        onFiles={([one]) => setChosen(one ?? null)}
      />
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Put on file
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

const Row = ({ item, customerId, mayChange }: { item: Item; customerId: string; mayChange: boolean }) => {
  const { setFile, remove } = useExemptions(customerId)
  const [asked, setAsked] = useState<'file' | 'remove' | null>(null)
  const close = () => setAsked(null)
  return (
    <li>
      <span className="panel-rows__main">
        <b>{item.certificate}</b>
        <span className="muted">{certificateLabel(item)}</span>
        <span className="inv-exempt__tools">
          {item.fileUrl ? (
            <a href={item.fileUrl} target="_blank" rel="noreferrer">
              See the certificate
            </a>
          ) : null}
          {mayChange ? (
            <>
              <Button size="s" kind="quiet" onClick={() => setAsked(asked === 'file' ? null : 'file')}>
                {item.fileUrl ? 'Replace the file' : 'Add the file'}
              </Button>
              <Button size="s" kind="quiet" onClick={() => setAsked('remove')}>
                Remove
              </Button>
            </>
          ) : null}
        </span>
        {asked === 'file' ? (
          <FileDrop
            label={`File of ${item.certificate}`}
            hint="PDF or picture"
            accept={kinds}
            maxBytes={largestUpload}
            disabled={setFile.isPending}
            error={setFile.error?.message}
            onFiles={([file]) => {
              if (file)
                void setFile
                  .mutateAsync({ id: item.id, file })
                  .then(close)
                  .catch(() => undefined)
            }}
          />
        ) : null}
      </span>
      <span className="panel-rows__side">{badges[item.standing]}</span>
      <ConfirmDialog
        open={asked === 'remove'}
        onClose={close}
        title={`Remove certificate ${item.certificate}?`}
        confirmLabel="Remove it"
        danger
        onConfirm={async () => {
          await remove.mutateAsync(item.id)
          toast.success(`Certificate ${item.certificate} is off file`)
        }}
      >
        New invoices no longer take it into account. Invoices that were made with it stay as they are.
      </ConfirmDialog>
    </li>
  )
}

const Fields = ({ customerId }: { customerId: string }) => {
  const may = useMay()
  const found = useQuery(exemptionsQuery(customerId))
  const [adding, setAdding] = useState(false)
  if (found.isError)
    return (
      <ErrorState
        compact
        error={found.error}
        title="We could not load the certificates"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    )
  if (!found.data) return <PanelSkeleton />
  const mayChange = may(exemptionsApi.add)
  return (
    <div className="inv-statement__fields">
      <p className="muted">{sentenceOf(found.data)}</p>
      {found.data.items.length > 0 ? (
        <ul className="panel-rows">
          {found.data.items.map((item) => (
            <Row key={item.id} item={item} customerId={customerId} mayChange={mayChange} />
          ))}
        </ul>
      ) : null}
      {adding ? (
        <Add customerId={customerId} known={found.data.items} onDone={() => setAdding(false)} />
      ) : mayChange ? (
        <div>
          <Button icon={<IconPlus />} onClick={() => setAdding(true)}>
            New certificate
          </Button>
        </div>
      ) : null}
      <p className="hint">
        You are reminded 30 days before one ends. Sales tax is charged again from the day after. Drafts keep the tax
        they were made with until somebody changes them.
      </p>
    </div>
  )
}

/** By which certificates a customer pays no sales tax, where, and until when. */
export const ExemptionDialog = ({
  customer,
  open,
  onClose,
}: {
  customer: { id: string; name: string }
  open: boolean
  onClose: () => void
}) => (
  <Dialog open={open} onClose={onClose} title={`Tax exemption of ${customer.name}`} closeOnOutside={false}>
    <Fields key={String(open)} customerId={customer.id} />
  </Dialog>
)
