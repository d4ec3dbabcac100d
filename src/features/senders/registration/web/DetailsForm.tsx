import { useRef } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '../../../../ui/Button.tsx'
import { useDraft } from '../../../../ui/drafts.ts'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { PhoneField } from '../../../../ui/PhoneField.tsx'
import { RadioField } from '../../../../ui/RadioField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { StateField } from '../../../../ui/StateField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { type SenderRegistration, senderRegistrationApi } from '../contract.ts'
import { type Details, entities, entityLabels, type SenderKind, shownEin } from '../rules.ts'
import { useSaveRegistration } from './data.ts'

type Values = { kind: SenderKind | null; details: Details }

const kinds = [
  {
    value: 'local',
    label: 'A local number (10DLC)',
    hint: 'Known in your area. First your business is registered, then what you text; together one to four weeks.',
  },
  {
    value: 'tollFree',
    label: 'A toll-free number',
    hint: 'Begins with 8. One verification, mostly within a work week.',
  },
] as const

const entityOptions = entities.map((value) => ({ value, label: entityLabels[value] }))

/** Which number it is to be, and who the business is, as the letter from the IRS has it. */
export const DetailsForm = ({ saved, onClose }: { saved: SenderRegistration; onClose: () => void }) => {
  const save = useSaveRegistration()
  const { kind, details } = saved
  const filled: Values = { kind, details: { ...details, ein: shownEin(details.ein) } }
  const form = useForm<Values>({ defaultValues: filled })
  const { control } = form
  // eleven fields are not typed twice: who closes it and comes back finds them
  const dropped = useRef(false)
  const forget = useDraft<Values>('sender-registration', {
    form,
    base: () => (dropped.current ? form.getValues() : filled),
  })
  const drop = () => {
    dropped.current = true
    forget()
    onClose()
  }
  const submit = async ({ kind: chosen, details: typed }: Values) => {
    await save.mutateAsync({ kind: chosen ?? 'local', details: typed, version: saved.version })
    toast.success('Saved')
    drop()
  }
  return (
    <Form form={form} label="Registering your texts" onSubmit={submit}>
      <FormField control={control} name="kind" needed="Choose the kind of number.">
        {(f) => <RadioField label="Texts shall leave from" options={kinds} {...f} />}
      </FormField>
      <FieldGrid min={220}>
        <FormField control={control} name="details.legalName">
          {(f) => <TextField label="Legal name" hint="As the letter from the IRS has it." {...f} />}
        </FormField>
        <FormField control={control} name="details.entity">
          {(f) => <SelectField label="Kind of business" placeholder="Choose one" options={entityOptions} {...f} />}
        </FormField>
        <FormField control={control} name="details.ein">
          {(f) => (
            <TextField
              label="EIN"
              hint="Nine digits. Only a sole proprietor goes without one."
              inputMode="numeric"
              {...f}
            />
          )}
        </FormField>
        <FormField control={control} name="details.street">
          {(f) => <TextField label="Street" autoComplete="off" {...f} />}
        </FormField>
        <FormField control={control} name="details.city">
          {(f) => <TextField label="City" autoComplete="off" {...f} />}
        </FormField>
        <FormField control={control} name="details.state">
          {(f) => <StateField label="State" {...f} />}
        </FormField>
        <FormField control={control} name="details.zip">
          {(f) => <TextField label="ZIP code" inputMode="numeric" {...f} />}
        </FormField>
        <FormField control={control} name="details.website">
          {(f) => <TextField label="Website" placeholder="https://" inputMode="url" {...f} />}
        </FormField>
        <FormField control={control} name="details.email">
          {(f) => <TextField label="E-mail" inputMode="email" {...f} />}
        </FormField>
        <FormField control={control} name="details.phone">
          {(f) => <PhoneField label="Phone" {...f} />}
        </FormField>
      </FieldGrid>
      {kind !== null && (saved.brand.state !== 'open' || saved.campaign.state !== 'open') ? (
        <p className="hint">Another kind of number begins its registration anew.</p>
      ) : null}
      <FormActions>
        <Button type="submit" kind="primary" calls={senderRegistrationApi.save} loading={form.formState.isSubmitting}>
          Save
        </Button>
        <Button onClick={drop}>Cancel</Button>
      </FormActions>
    </Form>
  )
}
