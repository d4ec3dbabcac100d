import { useEffect } from 'react'
import { brand } from '../shared/brand.ts'
import { paths } from '../shared/paths.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from './Notice.tsx'
import { saveSupport } from './session/supportTab.ts'

/** All that a tab of support shows once its visit is over. */
export const SupportEnded = ({ notice }: { notice: string }) => {
  useEffect(() => {
    document.title = `Support view closed · ${brand.name}`
  }, [])
  const toDesk = () => {
    saveSupport(null)
    window.location.assign(`${paths.ownerLeads}?tab=support`)
  }
  return (
    <Notice title="This support view is closed" action={<Button onClick={toDesk}>Go to the desk</Button>}>
      {notice} You can close this tab.
    </Notice>
  )
}
