import { useContext } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { useDraft } from '../../../ui/drafts.ts'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { BusinessSettings } from '../contract.ts'
import { useSetNumbers } from './data.ts'
import { MayChange } from './Section.tsx'

type Values = { nextInvoice: number | null; nextJob: number | null }

/** Which number the next invoice and the next job get: whoever comes from another program goes on where that one stopped. */
export const NumbersSection = ({ settings }: { settings: BusinessSettings }) => {
  const mayChange = useContext(MayChange)
  const set = useSetNumbers()
  const values = { nextInvoice: settings.nextInvoice as number | null, nextJob: settings.nextJob as number | null }
  const form = useForm<Values>({ values })
  const { isDirty, isSubmitting } = form.formState
  const forget = useDraft('numbers', { form, base: () => values })
  return (
    <Card id="numbers" flush className="settings-card">
      <div className="settings-card__words">
        <h2>Numbers</h2>
        <p className="muted">
          Go on where your last program stopped. A number is never given twice, so they only go up.
        </p>
      </div>
      <Form
        form={form}
        label="Numbers"
        onSubmit={async (v) => {
          const next = await set.mutateAsync({
            nextInvoice: v.nextInvoice ?? settings.nextInvoice,
            nextJob: v.nextJob ?? settings.nextJob,
          })
          form.reset({ nextInvoice: next.nextInvoice, nextJob: next.nextJob })
          forget()
          toast.success('Numbers saved')
        }}
      >
        <fieldset className="settings-card__fields" disabled={!mayChange}>
          <FieldGrid min={200}>
            <FormField control={form.control} name="nextInvoice" needed="Type the number of the next invoice.">
              {(f) => <NumberField {...f} label="Next invoice" min={settings.nextInvoice} max={99_999_999} />}
            </FormField>
            <FormField control={form.control} name="nextJob" needed="Type the number of the next job.">
              {(f) => <NumberField {...f} label="Next job" min={settings.nextJob} max={99_999_999} />}
            </FormField>
          </FieldGrid>
        </fieldset>
        {isDirty && mayChange ? (
          <FormActions>
            <Button type="submit" kind="primary" loading={isSubmitting}>
              Save numbers
            </Button>
            <Button onClick={() => form.reset(values)}>Undo</Button>
          </FormActions>
        ) : null}
      </Form>
    </Card>
  )
}
