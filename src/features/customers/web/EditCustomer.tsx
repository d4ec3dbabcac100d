import { useForm } from 'react-hook-form'
import { call } from '../../../shared/client.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useVersioned } from '../../../ui/useVersioned.tsx'
import { type CustomerRecord, customersApi } from '../contract.ts'
import { customText } from '../custom/rules.ts'
import { customFlat, customGrouped, useCustomFields } from '../custom/web/data.ts'
import {
  BillingFields,
  ContactFields,
  type CustomerValues,
  customerBody,
  customerValues,
  customerWords,
  GetsFields,
  MoreFields,
} from './CustomerFields.tsx'
import { useUpdateCustomer } from './data.ts'

type Props = { record: CustomerRecord; onClose: () => void }

/** Changes who a customer is and how they are billed. */
export const EditCustomer = ({ record, onClose }: Props) => {
  const form = useForm<CustomerValues>({ defaultValues: customerValues(record) })
  const update = useUpdateCustomer(record.id)
  const fields = useCustomFields('customer')
  const sent = (values: CustomerValues) => ({ ...customerBody(values), ...customFlat(fields, values.custom) })
  const { save, dialog } = useVersioned({
    record,
    read: (customer: CustomerRecord) => sent(customerValues(customer)),
    load: () => call(customersApi.get, { params: { id: record.id } }),
    words: {
      ...customerWords,
      ...Object.fromEntries(
        fields.map((field) => [
          `custom.${field.id}`,
          {
            label: field.name,
            show: (value: string | number | boolean | null) => customText(field, value ?? undefined),
          },
        ]),
      ),
    },
  })
  return (
    <Dialog open onClose={onClose} title={`Edit ${record.name}`} closeOnOutside={false} size="l">
      <Form
        form={form}
        label="Customer"
        onSubmit={(values) =>
          save(sent(values), async (changes, { version }, also) => {
            const saved = await update.mutateAsync({ ...customGrouped(changes), version })
            toast.success(`${saved.name} is saved${also}`)
            onClose()
          })
        }
      >
        <ContactFields />
        <MoreFields />
        <GetsFields />
        <BillingFields />
        <FormActions>
          <Button kind="primary" type="submit" loading={form.formState.isSubmitting}>
            Save customer
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </Form>
      {dialog}
    </Dialog>
  )
}
