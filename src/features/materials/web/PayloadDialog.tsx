import { useForm } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type MaterialSettings, materialsApi } from '../contract.ts'
import { useDeed } from './data.ts'

type Props = { settings: MaterialSettings; onClose: () => void }

const Payload = ({ settings, onClose }: Props) => {
  const save = useDeed('saveSettings')
  const form = useForm<{ payloadPounds: number | null }>({ defaultValues: { payloadPounds: settings.payloadPounds } })
  return (
    <Form
      form={form}
      label="Truck payload"
      onSubmit={async ({ payloadPounds }) => {
        await save.mutateAsync({ body: { payloadPounds: payloadPounds ?? 0, version: settings.version } })
        toast.success('The truck’s payload is saved')
        onClose()
      }}
    >
      <FormField control={form.control} name="payloadPounds" needed="How many pounds?">
        {(f) => (
          <NumberField
            label="A truck carries"
            unit="lb"
            min={0}
            step={100}
            hint="On the sticker of the driver’s door, less people and machines. A load above it is warned of."
            autoFocus
            {...f}
          />
        )}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" calls={materialsApi.saveSettings} loading={form.formState.isSubmitting}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** What a truck of the business carries. */
export const PayloadDialog = ({ open, ...props }: Props & { open: boolean }) => (
  <Dialog open={open} onClose={props.onClose} title="Truck payload" size="s">
    {open ? <Payload {...props} /> : null}
  </Dialog>
)
