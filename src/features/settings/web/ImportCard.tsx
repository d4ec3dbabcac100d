import { linkTo } from '../../../shared/links.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { importsApi } from '../../imports/contract.ts'

/** Where a business that comes from another program begins. */
export const ImportCard = () =>
  useMay()(importsApi.create) ? (
    <Card id="import" flush className="settings-card">
      <div className="own-row">
        <div>
          <h2>Bring customers in</h2>
          <span className="hint">
            From a CSV or Excel file of your last program. Every row is shown before anything is saved, and an import
            can be undone.
          </span>
        </div>
        <Button size="s" href={linkTo.import('new')}>
          Import
        </Button>
      </div>
    </Card>
  ) : null
