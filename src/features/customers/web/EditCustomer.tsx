import { useForm } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type SaveVersioned, Versioned } from '../../../ui/Versioned.tsx'
import type { CustomerRecord } from '../contract.ts'
import {
  BillingFields,
  ContactFields,
  type CustomerValues,
  customerBody,
  customerValues,
  MoreFields,
} from './CustomerFields.tsx'
import { useUpdateCustomer } from './data.ts'

type Props = { record: CustomerRecord; onClose: () => void }

const Editor = ({ record, save, onClose }: Props & { save: SaveVersioned }) => {
  const form = useForm<CustomerValues>({ defaultValues: customerValues(record) })
  const update = useUpdateCustomer(record.id)
  return (
    <Dialog open onClose={onClose} title={`Edit ${record.name}`} closeOnOutside={false} size="l">
      <Form
        form={form}
        label="Customer"
        onSubmit={(values) =>
          save(async (version) => {
            await update.mutateAsync({ ...customerBody(values), version })
            toast.success(`${values.name.trim()} is saved`)
            onClose()
          })
        }
      >
        <ContactFields />
        <MoreFields />
        <BillingFields />
        <FormActions>
          <Button kind="primary" type="submit" loading={form.formState.isSubmitting}>
            Save customer
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}

export const EditCustomer = ({ record, onClose }: Props) => (
  <Versioned record={record}>{(opened, save) => <Editor record={opened} save={save} onClose={onClose} />}</Versioned>
)
