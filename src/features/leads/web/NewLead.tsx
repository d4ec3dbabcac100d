import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { toast } from '../../../ui/toast.tsx'
import { businessLeadsApi, type LeadDuplicates } from '../contract.ts'
import { stageLabel } from '../rules.ts'
import { duplicatesQuery, leadDuplicatesOf, useCreateLead } from './data.ts'
import { LeadFields, type LeadValues, leadBody, leadValues } from './LeadFields.tsx'

const how = { email: 'e-mail', phone: 'phone number', address: 'address' } as const
const same = (matches: readonly (keyof typeof how)[]): string => matches.map((one) => how[one]).join(' and ')

/** Who is here already, with a way there. */
const Known = ({ found, onOpen }: { found: LeadDuplicates; onOpen: (id: string) => void }) => (
  <ul className="lead-known">
    {found.leads.map((lead) => (
      <li key={lead.id}>
        <button type="button" onClick={() => onOpen(lead.id)}>
          {lead.name}
        </button>{' '}
        ({stageLabel[lead.stage]}) has the same {same(lead.matches)}.
      </li>
    ))}
    {found.customers.map((one) => (
      <li key={one.customerId}>
        <LinkTo href={linkTo.customer(one.customerId, { archived: one.archived })}>{one.name}</LinkTo> is a customer
        with the same {same(one.matches)}.
      </li>
    ))}
  </ul>
)

const isAnybody = (found: LeadDuplicates | null | undefined): found is LeadDuplicates =>
  Boolean(found && found.leads.length + found.customers.length > 0)

/** Somebody called: who it is, what they want, who answers. Who is here already is said while it is typed. */
export const NewLeadDialog = ({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }) => {
  const form = useForm<LeadValues>({ defaultValues: { ...leadValues(), source: 'call' } })
  const create = useCreateLead()
  const [refused, setRefused] = useState<LeadDuplicates | null>(null)
  const [phone, email, street, city, zip] = useWatch({
    control: form.control,
    name: ['phone', 'email', 'street', 'city', 'zip'],
  })
  const [probe] = useDebouncedValue({ phone: phone ?? '', email, street, city, zip }, 400)
  const hint = useQuery(duplicatesQuery(probe)).data
  const found = refused ?? (isAnybody(hint) && (probe.phone || probe.email || probe.street) ? hint : null)
  const save = async (values: LeadValues, allowDuplicate: boolean) => {
    try {
      const made = await create.mutateAsync({ ...leadBody(values), allowDuplicate })
      toast.success(`${made.name} is in your funnel`)
      onMade(made.id)
    } catch (error) {
      const known = leadDuplicatesOf(error)
      if (!known) throw error
      setRefused(known)
    }
  }
  return (
    <Dialog open onClose={onClose} closeOnOutside={false} title="Add a lead">
      <Form form={form} label="New lead" onSubmit={(values) => save(values, found !== null)}>
        <LeadFields />
        {isAnybody(found) ? (
          <Banner tone="warn" title="They may be here already.">
            <Known found={found} onOpen={onMade} />
          </Banner>
        ) : null}
        <FormActions>
          <Button type="submit" kind="primary" calls={businessLeadsApi.create} loading={form.formState.isSubmitting}>
            {isAnybody(found) ? 'Add anyway' : 'Add lead'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
