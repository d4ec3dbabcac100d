/** How the page of a quote looks, on a phone, on a desk and on paper. */
export const quoteStyle = `
:root{color-scheme:light;--ink:#16211a;--quiet:#4d5a51;--line:#e2ddd0;--paper:#faf8f3;--late:#9a2a12}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.5 Hanken Grotesk,system-ui,Segoe UI,Roboto,Arial,sans-serif;overflow-wrap:anywhere}
main{max-width:760px;margin:0 auto;padding:20px 16px 48px}
header{display:flex;align-items:center;gap:14px;padding:18px 22px;margin:0 0 16px;border-radius:14px;background:var(--brand);color:var(--on-brand)}
header img{height:44px;max-width:120px;object-fit:contain;padding:4px;border-radius:8px;background:#fff}
header p{margin:0;font-size:21px;line-height:1.2;font-weight:680;letter-spacing:-.015em}
section{background:#fff;border:1px solid var(--line);border-radius:14px;padding:20px;margin:0 0 16px}
h1{margin:0 0 4px;font-size:27px;line-height:1.2;letter-spacing:-.02em}
h2{font-size:19px;margin:0 0 10px}
p{margin:4px 0}
.quiet{color:var(--quiet)}
.small{font-size:15px}
.words{white-space:pre-line}
.note{border-left:5px solid var(--brand)}
.bad{border-left:5px solid var(--late)}
.test{border:1.5px dashed #b98300;background:#fff6df;color:#6b4a00;font-weight:700;text-align:center;padding:8px;margin:0 0 12px}
fieldset{border:0;margin:0;padding:0;min-width:0}
legend{font-size:19px;font-weight:700;padding:0 0 10px}
.packs{display:grid;gap:10px;grid-template-columns:repeat(auto-fit,minmax(200px,1fr))}
.pack{display:block;position:relative;border:1.5px solid var(--line);border-radius:12px;padding:14px 14px 14px 46px;cursor:pointer;background:#fff}
.pack input{position:absolute;left:14px;top:17px;width:22px;height:22px;margin:0;accent-color:var(--strong)}
.pack:has(:checked){border-color:var(--strong);box-shadow:inset 0 0 0 1px var(--strong);background:#fbfdfb}
.pack b{display:block;font-size:18px}
.pack .sum{display:block;font-size:22px;font-weight:700;font-variant-numeric:tabular-nums}
.tag{display:inline-block;padding:1px 9px;border-radius:99px;background:#e6f0e4;color:#14432f;font-size:14px;font-weight:650}
ul{list-style:none;margin:0;padding:0}
.rows li{display:flex;gap:14px;justify-content:space-between;padding:12px 0;border-top:1px solid var(--line)}
.rows li:first-child{border-top:0}
.rows label{display:flex;gap:12px;flex:1;min-width:0;cursor:pointer}
.rows input{width:24px;height:24px;margin:1px 0 0;flex:none;accent-color:var(--strong)}
.rows small,.pack small{display:block;color:var(--quiet);font-size:15px;line-height:1.4}
.side{white-space:nowrap;text-align:right;flex:none;font-variant-numeric:tabular-nums;font-weight:600}
.sums{margin:6px 0 0}
.sums div{display:flex;justify-content:space-between;gap:16px;padding:5px 0}
.sums dt{color:var(--quiet)}
.sums dd{margin:0;white-space:nowrap;font-variant-numeric:tabular-nums;font-weight:600;text-align:right}
.sums .strong{border-top:2px solid var(--ink);margin-top:6px;padding-top:10px;font-size:22px}
.sums .strong:first-child{border-top:0;margin-top:0;padding-top:0}
.sums .strong dt{color:var(--ink);font-weight:700}
.photos{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:10px}
.photos img{display:block;width:100%;aspect-ratio:4/3;object-fit:cover;border-radius:10px;border:1px solid var(--line)}
label.field{display:block;font-weight:600;margin:0 0 14px}
.field input,.field textarea,.field select{display:block;width:100%;min-height:52px;margin:6px 0 0;padding:10px 12px;border:1.5px solid #6b7a70;border-radius:12px;font:inherit;background:#fff;color:inherit}
.check{display:flex;gap:12px;margin:0 0 14px;cursor:pointer}
.check input{width:24px;height:24px;margin:2px 0 0;flex:none;accent-color:var(--strong)}
.pad{margin:0 0 14px}
.pad canvas{display:block;width:100%;height:150px;border:1.5px dashed #6b7a70;border-radius:12px;background:#fff;touch-action:none;cursor:crosshair}
button{width:100%;min-height:56px;padding:8px 14px;border:0;border-radius:12px;background:var(--brand);color:var(--on-brand);font:inherit;font-weight:650;font-size:19px;cursor:pointer}
button.second{background:#fff;color:#14432f;border:1.5px solid #14432f;font-size:17px}
button.link{width:auto;min-height:44px;padding:0 6px;background:none;color:#14432f;font-size:16px;text-decoration:underline}
button[aria-busy=true]{opacity:.7}
button:focus-visible,input:focus-visible,textarea:focus-visible,select:focus-visible,a:focus-visible,summary:focus-visible,canvas:focus-visible{outline:3px solid #2766a8;outline-offset:2px}
a{color:#14432f;font-weight:600}
.contact a,.papers a{display:inline-block;padding:11px 18px 11px 0}
summary{min-height:44px;padding:9px 0;font-weight:650;cursor:pointer}
details form{padding-top:8px}
@media(max-width:560px){main{padding-top:0}.test,header{margin-left:-16px;margin-right:-16px;border-radius:0}.test{margin-bottom:0;border-width:0 0 1.5px}section{padding:18px 16px}h1{font-size:24px}}
@media print{button,.test,.sign,.answers,.packs input,.rows input,.photos,.noprint{display:none!important}body{background:#fff;font-size:11.5pt}main{max-width:none;padding:0}header{color:#16211a;background:none;border-bottom:2px solid var(--brand);border-radius:0;padding:0 0 8px}section{border:0;border-radius:0;padding:0 0 6px;margin:0 0 10px;break-inside:avoid}.note,.bad{border-left:3px solid var(--brand);padding-left:10px}.pack{padding:8px 10px;break-inside:avoid}.pack:not(:has(:checked)){display:none}.rows li:has(input:not(:checked)){display:none}.sums .strong{font-size:15pt}}
`
