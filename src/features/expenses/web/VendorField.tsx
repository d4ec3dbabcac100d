import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useFormContext, useWatch } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { vendorsQuery } from './data.ts'
import type { Values } from './values.ts'

const most = 4

/** Who was paid. Vendors that are known stand below as they are typed; one press fills in how they were booked last. */
export const VendorField = ({ isNew }: { isNew: boolean }) => {
  const { control, setValue, getValues } = useFormContext<Values>()
  const typed = (useWatch({ control, name: 'vendor' }) ?? '').trim()
  const [search] = useDebouncedValue(typed, 180)
  const known = useQuery({ ...vendorsQuery(search), enabled: isNew })
  const offered = (known.data ?? [])
    .filter(
      ({ vendor }) =>
        vendor.toLowerCase() !== typed.toLowerCase() && vendor.toLowerCase().includes(typed.toLowerCase()),
    )
    .slice(0, most)
  return (
    <div className="exp-vendor">
      <FormField control={control} name="vendor">
        {(f) => (
          <TextField label="Vendor" optional maxLength={120} autoComplete="off" placeholder="Shell, SiteOne" {...f} />
        )}
      </FormField>
      {isNew && offered.length > 0 ? (
        <ul aria-label="Vendors you used">
          {offered.map(({ vendor, categoryId, method }) => (
            <li key={vendor}>
              <Button
                size="s"
                onClick={() => {
                  setValue('vendor', vendor, { shouldDirty: true })
                  if (!getValues('categoryId'))
                    setValue('categoryId', categoryId, { shouldDirty: true, shouldValidate: true })
                  if (method !== 'personal') setValue('method', method, { shouldDirty: true })
                }}
              >
                {vendor}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
