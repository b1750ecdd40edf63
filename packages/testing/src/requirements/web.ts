import { section } from "./section.ts";

/** Promises of the web app's design that the service keeps. */
export const webRequirements = section("The web app", {
  "web.boot":
    "app.boot returns the user, the team, the CSRF token, the visible collections with counts and abilities, and the limits",
  "web.tree.level":
    "documents.tree lists the documents of one level in their order, at most 500 at a time, without their bodies",
  "web.tree.path": "documents.tree opens the tree at a document: its path and the level of each document above it",
  "web.tree.hidden":
    "The tree shows what the user may see and nothing else; a document below a hidden one is at the top level",
  "web.abilities": "A document shows what the user may do with it now, by the one policy",
  "web.view": "documents.view returns all that the page of a document shows, in one response",
  "web.walk":
    "On every screen each role finds what the REST API shows them, the actions that are theirs, and no trace of anything hidden",
  "web.page.hidden": "A hidden document or collection returns the same page as one that does not exist, with 404",
  "web.page.lost":
    "The page of an address that leads nowhere has the navigation of its reader, and nothing of anybody for others",
  "web.page.readable": "A document is readable before any script runs and without script",
  "web.page.adopted": "The app takes over the article that the server rendered and never renders it again",
  "web.page.whole": "A page that arrives in pieces is drawn once it is whole, and nothing in it moves",
  "web.page.policy": "No page needs a script, a style or markup that the policy refuses",
  "web.hostile": "Nothing in a title, a text, a tag, a link or the name of a file runs, on any screen",
  "web.hostile.layout":
    "A title of any length, script or direction is whole on its page, and neither widens the page nor reverses what is beside it",
  "web.page.accessible": "axe-core finds nothing on any screen: light, dark, right to left and 320 pixels wide",
  "web.page.budget": "The app of a first document view is at most 165 kB of JavaScript and 14 kB of CSS, compressed",
  "web.page.files":
    "A first view of a screen loads at most 8 scripts and one style, all named in its page; other screens, menus and dialogs load when they open",
  "web.sidebar.window": "A tree of 10,000 documents has at most 60 rows in the page",
  "web.collection.window":
    "The page of a collection of 10,000 documents has at most 60 rows, each with its place, and the focus goes through all of them",
  "web.tree.refresh":
    "A change among 10,000 siblings is read with at most 3 requests; what is off the screen is read again before it is relied on",
  "web.sidebar.path": "The tree is open at the document of the page, 100 levels deep, without a request",
  "web.sidebar.keys": "The tree follows the keys of the APG, from right to left too, and keeps what is open",
  "web.sidebar.move":
    "A document is moved by drag and drop, by keys and by a search; it shows at once and goes back if it is refused",
  "web.collection":
    "A collection has its description, an order in the address, and a menu with what the reader may do; it is deleted after a typed word",
  "web.collection.access": "Those who manage a collection say who can read, write and manage it",
  "web.actions": "Every action on a document is done by keyboard only; a document in the trash comes back with Undo",
  "web.requests": "Going from one page of the app to another takes at most 3 requests",
  "web.create": "A person creates, writes and reads a document by keyboard only",
  "web.new":
    "/new has a form for a document at the place in its address: opening it creates nothing, and a hidden place is like an absent one",
  "web.writing.kept":
    "Written text is on the device within 300 ms and sent within 2 seconds; while it is not saved, the page says so and asks before it closes",
  "web.writing.conflict":
    "A change by somebody else is never overwritten unasked, and the text that was written is kept until the writer chooses",
  "web.editor.together":
    "People who type in one document see each other's text and what assistants append; every copy agrees with GET",
  "web.editor.people":
    "The editor lists who has the document open too, says who comes and leaves, and shows their carets with names where they are",
  "web.editor.exact": "The editor shows and reads back every node and mark of the schema as it was",
  "web.editor.still": "Every block has the place and the height in the editor that it has for readers",
  "web.editor.keys":
    "The editor is used by keyboard only: Tab is no trap, Alt+F10 leads to the toolbar, undo takes back one's own changes",
  "web.editor.drag":
    "A block or an item of a list is dragged by a handle to where a line shows, with what others write in it meanwhile; Escape leaves it",
  "web.editor.toolbar":
    "Selected text has tools over it under the mouse, and the toolbar of a touch screen stays above its keyboard",
  "web.editor.insert":
    "A slash or a button opens a list of what can be inserted, found by its names in the reader's language and by synonyms; Escape leaves the slash",
  "web.editor.formulas":
    "The editor shows formulas as readers see them; the caret, a click or Enter opens the source of one, and the ends of the source lead out of it",
  "web.editor.code":
    "The editor colors code as it is written, keeps its indentation, changes its language and copies it, and arrows and Enter lead out of it",
  "web.editor.footnotes":
    "A reference in the editor that is selected or under the mouse shows its footnote; Enter or a button leads to it, and Escape back",
  "web.formulas.explained": "The reason why a formula is not shown is in the reader's language",
  "web.formulas.inside": "A formula paints nothing over the text around it",
  "web.editor.upload":
    "Pictures and files are dropped, pasted or chosen; none is in the document before the service has it, and one that fails is kept to be sent again",
  "web.editor.copy-picture":
    "A picture on another site is copied into the files of the document by those who may attach files to it, as an upload, and the copy takes its place where it still is",
  "web.editor.links":
    "A link leads to a document that is found by its title, or to an address; an address of ours becomes a link with the title",
  "web.links.shown":
    "A link to a document shows its title and its place while it has the mouse, the focus or the caret, and Escape takes them away; one that the reader may not see shows none, as one that does not exist",
  "web.editor.mentions": "An at sign suggests people and a colon emoji, both also in the list of what can be inserted",
  "web.editor.find": "A text is found and replaced in the editor by keyboard, and what was found is marked and counted",
  "web.editor.paste":
    "Pasted Markdown becomes what it means, and what is copied from Word, Google Docs and Sheets, Notion, LibreOffice, Slack, GitHub and VS Code the document that people saw there; nothing runs, and the policy reports nothing",
  "web.editor.source":
    "A document is written as formatted text or as Markdown source, each saved before the other opens",
  "web.editor.access": "A document that may no longer be written becomes read-only while it is open",
  "web.search":
    "app.search returns hits with their path, and says when nothing matched as typed and similar words were found",
  "web.search.filters":
    "A search is narrowed to a collection, a tag and a state; the filters stand in the address and work without script",
  "web.keys":
    "Every key of the one table does what the list of keys says, where the reader may; menus show it, and F6 goes through the page",
  "web.keyboard": "Everything is done by keyboard only, from the log-in to the log-out",
  "web.keyboard.focus":
    "Tab reaches every control of every screen, each visibly, is never trapped, and returns to where a layer was opened",
  "web.look.preferences":
    "With forced colors every focus, state and border stays visible; with reduced motion nothing moves for longer than 1 ms",
  "web.keys.single": "Keys without Ctrl can be switched off, and stay so on later pages",
  "web.quick-open.recent":
    "Quick open begins with the documents that were opened last, and opens an entry in a new tab by Ctrl+Enter",
  "web.quick-open.create": "Quick open creates what it does not find, with the words as the title, for those who may",
  "web.quick-open": "Quick open finds titles, then texts, and runs commands, by keyboard only",
  "web.picker.answers":
    "A picker has its focus on the first entry of each answer, or on the one the person went to; Enter waits for the answer",
  "web.view.html": "The HTML of a document is rendered once for each revision; access is checked each time",
  "web.suggest":
    "documents.suggest finds titles by the beginnings of their words, at most 8, only of documents that the user may read",
  "web.recent": "documents.recent lists what the user viewed, what others changed, and what the user created",
  "web.views": "A view is written after the response, at most once in five minutes for each user and document",
  "web.stars": "A user stars documents, at most 500, and sees the stars of nobody else",
  "web.attachments": "The properties of a document list its files, for those who may read it",
  "web.attachments.delete":
    "Those who may edit a document delete its files after a question; the address answers 404, and the text stays",
  "web.backlinks":
    "Links between documents are kept with the body; backlinks and linksTo show those that the user may see",
  "web.created-by": "`createdBy` on the list of documents selects those that a user created",
  "web.order": "`after` places a document directly after a sibling; moves at once keep an order",
  "web.minimal": "`return: minimal` returns the id, the revision and the time of an updated document",
  "web.set-task": "The edit `set_task` sets the box of one task, found by its place and its text, and never of another",
  "web.directory": "users.directory lists the names and pictures of the people of the team for everybody who may read",
  "web.events.access":
    "A user who loses access to a collection, a restricted tag or a right is sent a reset within a second, and nothing else about it",
  "web.current.lists":
    "A change by REST or by an assistant appears in an open app within a second: in its lists, its trees and its open document",
  "web.current.position":
    "A new version of an open document replaces the blocks that differ; the reader stays where they were",
  "web.current.gone": "A document that is deleted or hidden while it is open shows that, and its text leaves the page",
  "web.current.hidden": "A hidden tab closes its stream of changes and catches up when it is visible again",
  "web.history": "documents.revisions.view returns a revision as HTML, and what changed since the stored one before it",
  "web.history.restore": "Those who may edit restore an earlier version; others only read it",
  "web.history.undo":
    "Those who may edit undo one change by itself, also while others type, and are told what was left",
  "web.trash":
    "Documents are restored, deleted for good after a question, and the trash emptied after a typed word, by keyboard only; each sees what is theirs to do",
  "web.lists": "Drafts, archive, trash, tags and history are pages that a reader uses without script",
  "web.states":
    "The app says what keeps it from its service: no network, a limit with its wait, an outage, a session that ended, a newer release",
  "web.states.wait":
    "A wait that the service names is kept and shown, at most 5 minutes; what failed meanwhile comes by itself afterwards",
  "web.states.pending": "Without the service the app says how many documents have changes that only this device has",
  "web.log-out":
    "A log-out deletes unsent text only after the service has ended the session, in every tab; a lost answer is asked about",
  "web.log-out.files": "A log-out ends the sending of files to import, in every tab, and nothing asks whether to stay",
  "web.states.log-in": "After a log-in in another tab the same page continues, and nothing on it is lost",
  "web.print":
    "A printed document is its whole text on white with the addresses of its links; no page ends after a heading or within a row",
  "web.print.list": "A printed list has all of its rows, or the address of a page that has them",
  "web.releases":
    "During a rolling update a page of either release works with the service of the other; it loads the newer one at the next navigation",
  "web.page.colors": "The pages of logging in, of consent and of errors have the colors of the app",
});
